# shellcheck shell=bash
# The programs of the cluster, built from Go modules into one folder for each version.

PROGRAMS_DIR=$CACHE_DIR/programs
KUBERNETES_DIR=$PROGRAMS_DIR/kubernetes-$KUBERNETES_VERSION-$(fingerprint "$CLUSTER_LAB"/node/{main.go,go.mod,go.sum})
KIND_DIR=$PROGRAMS_DIR/kind-$KIND_VERSION
HELM_DIR=$PROGRAMS_DIR/helm-$HELM_VERSION
CONTAINERD_DIR=$PROGRAMS_DIR/containerd-$CONTAINERD_VERSION

build_kind() {
  build_program "$KIND_DIR" "building kind $KIND_VERSION" sigs.k8s.io/kind@$KIND_VERSION
}

build_helm() {
  build_program "$HELM_DIR" "building helm $HELM_VERSION" helm.sh/helm/v4/cmd/helm@$HELM_VERSION
}

build_containerd() {
  local commands=github.com/containerd/containerd/v2/cmd
  build_program "$CONTAINERD_DIR" "building containerd $CONTAINERD_VERSION" \
    "$commands"/{containerd,containerd-shim-runc-v2,ctr}@$CONTAINERD_VERSION
}

# build_program DIR TITLE MODULE...
build_program() {
  local dir=$1 title=$2
  shift 2
  if [[ -d $dir ]]; then return; fi
  need_go
  long_step "$title" build_once "$dir" go_install "$@"
}

# go_install MODULE... DIR
go_install() {
  GOBIN=${!#} go install -trimpath -ldflags '-s -w' "${@:1:$#-1}"
}

# Two programs out of one module: every component of a node in one, and kubectl alone, which starts faster.
# A program's version is stamped by the linker, as its own build scripts do it.
build_kubernetes() {
  if [[ -d $KUBERNETES_DIR ]]; then return; fi
  need_go
  say "... Go builds all of Kubernetes now: a quarter of an hour on two cores, and once for each version"
  long_step "building Kubernetes $KUBERNETES_VERSION" build_once "$KUBERNETES_DIR" compile_kubernetes
}

compile_kubernetes() {
  local dir=$1 version=k8s.io/component-base/version minor
  minor=$(cut -d . -f 2 <<<"$KUBERNETES_VERSION")
  cd "$CLUSTER_LAB/node"
  go build -mod=readonly -trimpath -o "$dir/" -ldflags "-s -w
    -X $version.gitVersion=$KUBERNETES_VERSION -X $version.gitMajor=1 -X $version.gitMinor=$minor
    -X $version.gitTreeState=clean -X k8s.io/client-go/pkg/version.gitVersion=$KUBERNETES_VERSION" \
    . k8s.io/kubernetes/cmd/kubectl
}

# The folder of a Go module's own files, fetched into Go's cache.
module_dir() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }

// One program with every Kubernetes component in it, so that a node image is built by one `go build`.
// The name it is called by, or else its first argument, picks the component.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coredns/coredns/coremain"
	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"

	// What the Corefile that kubeadm writes names, and nothing else.
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/loadbalance"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/metrics"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/reload"
)

var components = map[string]func() int{
	"kube-apiserver":          command(apiserver.NewAPIServerCommand),
	"kube-controller-manager": command(controllermanager.NewControllerManagerCommand),
	"kube-scheduler": command(func() *cobra.Command {
		return scheduler.NewSchedulerCommand()
	}),
	"kube-proxy": command(proxy.NewProxyCommand),
	"kubectl":    command(kubectl.NewDefaultKubectlCommand),
	"kubelet": command(func() *cobra.Command {
		return kubelet.NewKubeletCommand(context.Background())
	}),
	"kubeadm": runKubeadm,
	"etcd":    runEtcd,
	"coredns": runCoreDNS,
}

func main() {
	name := filepath.Base(os.Args[0])
	if _, known := components[name]; !known && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		name = os.Args[0]
	}
	run, known := components[name]
	if !known {
		names := slices.Sorted(maps.Keys(components))
		fmt.Fprintln(os.Stderr, "usage: kubernetes", strings.Join(names, "|"), "[ARGUMENT...]")
		os.Exit(2)
	}
	os.Exit(run())
}

func command(build func() *cobra.Command) func() int {
	return func() int { return cli.Run(build()) }
}

func runKubeadm() int {
	if err := kubeadm.Run(); err != nil {
		return 1
	}
	return 0
}

func runEtcd() int {
	etcdmain.Main(os.Args)
	return 0
}

func runCoreDNS() int {
	coremain.Run()
	return 0
}

# shellcheck shell=bash
# A CA, a server and a client for the bench, and the files that the sidecar reads in a pod.

# bench_pki DIR: ca.pem, server.{pem,key}, client.{pem,key}, haproxy.pem, and run/ as in a pod.
bench_pki() {
  local dir=$1
  mkdir -p "$dir"
  new_key "$dir/ca.key"
  openssl req -x509 -key "$dir/ca.key" -out "$dir/ca.pem" -days 30 -subj /CN=bench-ca \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
  issue "$dir" server "IP:127.0.0.1,URI:spiffe://cluster.local/ns/bench/sa/server"
  issue "$dir" client "URI:spiffe://cluster.local/ns/bench/sa/client"
  cat "$dir/server.pem" "$dir/server.key" >"$dir/haproxy.pem"
  pod_files "$dir" "$dir/run"
  chmod -R a+rX "$dir"
}

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

issue() {
  local dir=$1 name=$2 names=$3
  new_key "$dir/$name.key"
  openssl req -new -key "$dir/$name.key" -subj "/CN=$name" |
    openssl x509 -req -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -days 30 -out "$dir/$name.pem" \
      -extfile <(printf '%s\n' "subjectAltName=$names" basicConstraints=critical,CA:FALSE \
        keyUsage=critical,digitalSignature extendedKeyUsage=serverAuth,clientAuth)
}

pod_files() {
  local from=$1 run=$2
  mkdir -p "$run"/{identity,trust,policy,run}
  cp "$from/server.pem" "$run/identity/tls.crt"
  cp "$from/server.key" "$run/identity/tls.key"
  cp "$from/ca.pem" "$run/identity/ca.crt"
  cp "$from/ca.pem" "$run/trust/ca.pem"
  jq -n --rawfile pem "$from/ca.pem" \
    '[{trustDomain: "cluster.local", pem: $pem, crl: ""}]' >"$run/trust/bundle.json"
  jq -n '{version: "bench", mode: "Strict", minVersion: "TLS1.2", clientCertificate: "Required",
    trustDomain: "cluster.local", peers: null}' >"$run/policy/v1.json"
}

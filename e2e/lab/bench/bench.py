"""CPU a request of the sidecar beside its peers: alternating rounds, medians, ratios, one table."""

import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import peers

SIZES = ("1k", "16k")
IDLE_SECONDS = 25  # one turn of -XX:TrimNativeHeapInterval


def load(peer, pki, path, seconds, connections):
    """One round of oha against a peer; its CPU microseconds a request, requests a second, p99 in ms."""
    before = peer.cpu_seconds()
    command = [
        "oha", "--no-tui", "--output-format", "json", "-z", f"{seconds}s", "-c", str(connections),
        "--cacert", pki / "ca.pem", "--cert", pki / "client.pem", "--key", pki / "client.key",
        f"{peer.scheme}://127.0.0.1:{peer.port}/{path}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"oha against {peer.name}: {done.stderr.strip()}")
    result = json.loads(done.stdout)
    requests = result["statusCodeDistribution"].get("200", 0)
    if requests == 0:
        raise SystemExit(f"{peer.name} answered no request: {done.stdout[:400]}")
    cpu = peer.cpu_seconds() - before
    return cpu / requests * 1e6, requests / seconds, result["latencyPercentiles"]["p99"] * 1e3


def measure(proxies, pki, options):
    """{(peer, size): [round]}: one warm-up round that is thrown away, then alternating rounds."""
    results = {}
    for turn in range(options.rounds + 1):
        for size in SIZES:
            for peer in proxies:
                print(f"... round {turn}/{options.rounds}, {size}, {peer.name}", file=sys.stderr)
                sample = load(peer, pki, size, options.seconds, options.connections)
                if turn > 0:
                    results.setdefault((peer.name, size), []).append(sample)
    return results


def medians(samples):
    return [statistics.median(column) for column in zip(*samples)]


def table(proxies, results):
    """Markdown: CPU a request and its ratio to the best TLS peer of the same run."""
    rivals = [p.name for p in proxies if p.scheme == "https" and not p.name.startswith("Postern")]
    best = {s: min(medians(results[name, s])[0] for name in rivals) for s in SIZES}
    lines = [
        "| proxy | 1 KiB: CPU µs/request | x best peer | requests/s | p99 ms "
        "| 16 KiB: CPU µs/request | x best peer | requests/s | p99 ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for peer in proxies:
        cells = [peer.name]
        for size in SIZES:
            cpu, rate, p99 = medians(results[peer.name, size])
            cells += [f"{cpu:.0f}", f"{cpu / best[size]:.2f}", f"{rate:.0f}", f"{p99:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def memory_table(sidecars, idle):
    lines = [
        "| sidecar | start to ready s | idle RSS MiB | idle anonymous MiB | RSS after load MiB |",
        "|---|--:|--:|--:|--:|",
    ]
    for peer in sidecars:
        resident, anonymous = idle[peer.name]
        after = peer.memory_mib()[0]
        lines.append(
            f"| {peer.name} | {peer.start_seconds:.2f} | {resident:.0f} | {anonymous:.0f} | {after:.0f} |"
        )
    return "\n".join(lines)


def machine():
    cpu = next(l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name"))
    cores = len([l for l in open("/proc/cpuinfo") if l.startswith("processor")])
    return f"{cores} cores of {cpu}, Linux {platform.release()}"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sidecar-root", type=pathlib.Path, required=True)
    parser.add_argument("--peers-root", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--entrypoint", nargs="+", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=100)
    return parser.parse_args()


def main():
    options = arguments()
    pki = options.work / "pki"
    running = []
    try:
        running.append(peers.app(options.peers_root, options.work))
        proxies = []
        for start in (
            lambda: peers.plain_relay(options.peers_root, options.work, 18441),
            lambda: peers.nginx_stream(options.peers_root, options.work, 18442),
            lambda: peers.haproxy(options.peers_root, options.work, 18443),
            lambda: peers.sidecar(options.sidecar_root, options.work, 18444, "epoll", options.entrypoint),
            lambda: peers.sidecar(options.sidecar_root, options.work, 18445, "io_uring", options.entrypoint),
        ):
            proxies.append(start())
            running.append(proxies[-1])
        time.sleep(IDLE_SECONDS)
        sidecars = [p for p in proxies if p.name.startswith("Postern")]
        idle = {p.name: p.memory_mib() for p in sidecars}
        results = measure(proxies, pki, options)
        print(f"{machine()}; {options.rounds} rounds of {options.seconds} s, "
              f"{options.connections} connections, mTLS, keep-alive\n")
        print(table(proxies, results) + "\n\n" + memory_table(sidecars, idle))
    finally:
        for peer in reversed(running):
            peer.stop()


if __name__ == "__main__":
    main()

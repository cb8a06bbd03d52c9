"""The proxies under test and their app, each one process in a root of its own image."""

import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.request

APP_PORT = 18080
READY_SECONDS = 30

NGINX_APP = """
daemon off; master_process off; pid /tmp/app.pid; error_log stderr error;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; sendfile on; tcp_nopush on;
  server {{ listen 127.0.0.1:{app} backlog=4096; root /bench/www; }}
}}
"""
NGINX_STREAM = """
load_module modules/ngx_stream_module.so;
daemon off; master_process off; pid /tmp/stream-{port}.pid; error_log stderr error;
events {{ worker_connections 4096; }}
stream {{
  server {{
    listen 127.0.0.1:{port} {tls} backlog=4096; proxy_pass 127.0.0.1:{app};
    ssl_certificate /bench/pki/server.pem; ssl_certificate_key /bench/pki/server.key;
    ssl_client_certificate /bench/pki/ca.pem; ssl_verify_client on;
    ssl_protocols TLSv1.2 TLSv1.3;
  }}
}}
"""
HAPROXY = """
global
  nbthread 1
  maxconn 4096
defaults
  mode tcp
  timeout connect 5s
  timeout client 600s
  timeout server 600s
listen bench
  bind 127.0.0.1:{port} ssl crt /bench/pki/haproxy.pem ca-file /bench/pki/ca.pem verify required
  server app 127.0.0.1:{app}
"""


class Peer:
    """A process in a chroot; its CPU time and memory are read from /proc."""

    def __init__(self, name, root, work, port, command, env=None, scheme="https"):
        self.name, self.port, self.scheme = name, port, scheme
        self.log = open(work / f"{name.replace(' ', '-')}.log", "wb")
        mounts = (
            f"mount --rbind /proc {root}/proc && mount --rbind /dev {root}/dev && "
            f"mkdir -p {root}/bench && mount --bind {work} {root}/bench && "
            f'exec chroot {root} "$@"'
        )
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", mounts, "sh", *command],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin", **(env or {})},
        )

    def cpu_seconds(self):
        """User and system time of the process, threads that have ended included."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        """(resident, anonymous) in MiB."""
        rollup = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        kib = {line.split(":")[0]: int(line.split()[1]) for line in rollup.splitlines()[1:]}
        return kib["Rss"] / 1024, kib["Anonymous"] / 1024

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def nginx(name, root, work, port, text, **options):
    config = work / f"nginx-{port}.conf"
    config.write_text(text)
    return Peer(name, root, work, port, ["nginx", "-e", "stderr", "-c", f"/bench/{config.name}"], **options)


def app(root, work):
    www = work / "www"
    www.mkdir(exist_ok=True)
    for kib in (1, 16):
        (www / f"{kib}k").write_bytes(b"x" * kib * 1024)
    return nginx("app", root, work, APP_PORT, NGINX_APP.format(app=APP_PORT), scheme="http")


def nginx_stream(root, work, port):
    return nginx("nginx stream", root, work, port, NGINX_STREAM.format(port=port, app=APP_PORT, tls="ssl"))


def plain_relay(root, work, port):
    text = NGINX_STREAM.format(port=port, app=APP_PORT, tls="")
    return nginx("no TLS (nginx stream)", root, work, port, text, scheme="http")


def haproxy(root, work, port):
    config = work / "haproxy.cfg"
    config.write_text(HAPROXY.format(port=port, app=APP_PORT))
    return Peer("HAProxy", root, work, port, ["haproxy", "-f", "/bench/haproxy.cfg"])


def sidecar(root, work, port, io, entrypoint):
    """The image's own entry point with the image's own flags; ready when it says so itself."""
    admin = port + 100
    run = work / f"run-{io}"
    subprocess.run(["cp", "-r", work / "pki" / "run", run], check=True)
    env = {
        "POSTERN_CAPTURE": "ports", "POSTERN_LISTEN": f"{port}={APP_PORT}", "POSTERN_IO": io,
        "POSTERN_WORKERS": "1", "POSTERN_ADMIN_PORT": str(admin), "POSTERN_LOG_LEVEL": "warn",
        "POSTERN_RUN_DIR": f"/bench/{run.name}", "POSTERN_POD_IP": "127.0.0.1",
    }
    started = time.monotonic()
    peer = Peer(f"Postern {io}", root, work, port, entrypoint, env)
    try:
        await_ready(f"http://127.0.0.1:{admin}/healthz/ready")
    except SystemExit:
        peer.stop()
        raise
    peer.start_seconds = time.monotonic() - started
    return peer


def await_ready(url):
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError) as e:
            if time.monotonic() > deadline:
                raise SystemExit(f"not ready after {READY_SECONDS} s: {url}: {e}") from e
            time.sleep(0.01)

"""One path of namespaces with the relay in its middle, and the programs that run over it."""

import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path as File

HERE = File(__file__).resolve().parent
APPS = str(HERE / "apps.py")
RATE = re.compile(r"([\d.]+) Mbit/s")


def run(command, check=True, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Path:
    """sender - (vs) middle: tun0 - relay - tun1 (vr) - receiver; `other` and `peer` share the line."""

    def __init__(self, spec, slot):
        self.spec, self.slot, self.relay = spec, slot, None
        r = random.Random(f"addresses {spec.seed}")
        net = r.choice(("10.{}.{}", "192.168.{1}", "172.{2}.{1}"))
        self.nets = []
        while len(set(self.nets)) < 4:
            self.nets = [net.format(a := r.randint(1, 250), b := r.randint(1, 240) + i, 16 + (a + b) % 16)
                         for i in range(4)]
        self.hosts = {"sender": ("vs", 0), "receiver": ("vr", 1)}
        if spec.cross:
            self.hosts |= {"other": ("vo", 2), "peer": ("vp", 3)}
        host = r.randint(2, 250)
        self.address = {h: f"{self.nets[i]}.{host + i}" for h, (_, i) in self.hosts.items()}

    def ns(self, host):
        return f"native{self.slot}-{host}"

    def inside(self, host, *command):
        # Below the relays, above what else the machine does: hosts of a path are not short of processor.
        return ["chrt", "-r", "10", "ip", "netns", "exec", self.ns(host), *command]

    def do(self, host, *command, check=True):
        return run(self.inside(host, *command), check)

    def start(self, host, *command, out=None, err=None):
        out = open(out, "wb") if out else subprocess.DEVNULL
        err = open(err, "wb") if err else (out if err is None and out != subprocess.DEVNULL else subprocess.DEVNULL)
        return subprocess.Popen(self.inside(host, *command), stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                start_new_session=True)

    def listening(self, host, port):
        for _ in range(100):
            if f":{port} " in self.do(host, "ss", "-Hltn"):
                return
            time.sleep(0.1)
        raise RuntimeError(f"nothing listens on port {port} of the {host}")

    # ---- build and remove ----

    def __enter__(self):
        self.remove()
        for host in ("middle", *self.hosts):
            run(["ip", "netns", "add", self.ns(host)])
            self.do(host, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1",
                    "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.default.rp_filter=0")
            self.do(host, "ip", "link", "set", "lo", "up")
        self.do("middle", "sysctl", "-qw", "net.ipv4.ip_forward=1")
        for i in (0, 1):
            self.do("middle", "ip", "tuntap", "add", f"tun{i}", "mode", "tun")
            self.do("middle", "ip", "link", "set", f"tun{i}", "txqueuelen", "20000", "up")
            self.do("middle", "ip", "route", "add", "default", "dev", f"tun{i}", "table", str(10 + i))
        for host, (veth, i) in self.hosts.items():
            run(["ip", "-n", self.ns("middle"), "link", "add", "name", veth, "type", "veth", "peer", "name", "eth0",
                 "netns", self.ns(host)])
            self.do("middle", "ip", "address", "add", f"{self.nets[i]}.1/24", "dev", veth)
            self.do("middle", "ip", "link", "set", veth, "up")
            self.do(host, "ip", "address", "add", f"{self.address[host]}/24", "dev", "eth0")
            self.do(host, "ip", "link", "set", "eth0", "up")
            self.do(host, "ip", "route", "add", "default", "via", f"{self.nets[i]}.1")
            self.do("middle", "ip", "rule", "add", "iif", veth, "lookup", str(10 + i % 2))
            if not self.spec.offload:
                self.do(host, "ethtool", "-K", "eth0", "tso", "off", "gso", "off", "gro", "off", check=False)
        # An ordinary host has a queueing discipline: TCP's small queues are counted behind it.
        self.do("sender", "tc", "qdisc", "add", "dev", "eth0", "root", "pfifo", "limit", "1000")
        if self.spec.gro_ns:
            self.do("receiver", "ethtool", "-K", "eth0", "gro", "on", check=False)
            self.do("receiver", "sh", "-c", f"echo {self.spec.gro_ns} > /sys/class/net/eth0/gro_flush_timeout", check=False)
        for host, sysctls in (("sender", self.spec.sender), ("receiver", self.spec.receiver)):
            for key, value in sysctls.items():
                self.do(host, "sysctl", "-qw", f"{key}={value}")
        return self

    def start_relay(self, out):
        keys = [f"{way}.{k}={v}" for way, config in (("fwd", self.spec.fwd), ("rev", self.spec.rev))
                for k, v in config.items()]
        self.relay_out = out
        self.relay = subprocess.Popen(
            ["ip", "netns", "exec", self.ns("middle"), "chrt", "-f", "50", str(HERE / "relay"), str(out), "tun0", "tun1",
             f"seed={self.spec.seed}", *keys], stdin=subprocess.PIPE, text=True)
        for _ in range(100):
            if "LOWER_UP" in self.do("middle", "ip", "link", "show", "tun1"):
                return
            time.sleep(0.05)
        raise RuntimeError("the relay did not start")

    def phase(self, name):
        self.relay.stdin.write(f"phase {name}\n")
        self.relay.stdin.flush()
        time.sleep(0.02)

    def stop_relay(self):
        lost = sum(int(line.split()[3]) for i in (0, 1)
                   for line in self.do("middle", "ip", "-s", "link", "show", f"tun{i}").splitlines()[-1:])
        self.relay.stdin.close()
        self.relay.wait(10)
        self.relay = None
        report = json.loads(self.relay_out.read_text())
        report["tun_drops"] = lost  # packets that the relay was too slow to read; counted nowhere else
        self.relay_out.write_text(json.dumps(report, indent=1) + "\n")
        return report

    def remove(self):
        here = run(["ip", "netns", "list"]).split()
        for host in ("middle", "sender", "receiver", "other", "peer"):
            if self.ns(host) in here:
                for pid in run(["ip", "netns", "pids", self.ns(host)]).split():  # of a driver that was killed
                    with suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGKILL)
                run(["ip", "netns", "delete", self.ns(host)])

    def __exit__(self, *_):
        if self.relay:
            self.relay.kill()
            self.relay.wait()
        self.remove()

    # ---- what people run beside a transfer ----

    def ping(self, out, count=10, interval=0.2):
        out.write_text(self.do("sender", "ping", "-c", str(count), "-i", str(interval), "-W", "2",
                               self.address["receiver"], check=False))

    def sysctls(self, host):
        return "".join(line + "\n" for line in self.do(host, "sysctl", "-a", check=False).splitlines() if "tcp" in line)

    def snapshot(self, folder, when):
        if "nstat" in self.spec.extras:
            (folder / f"nstat-{when}.txt").write_text(self.do("sender", "nstat", "-asz"))
        if "link" in self.spec.extras:
            (folder / f"ip-link-{when}.txt").write_text(self.do("sender", "ip", "-s", "link"))
        if "tc" in self.spec.extras and when == "after":
            (folder / "tc.txt").write_text(self.do("sender", "tc", "-s", "qdisc"))

    def watch(self, stack, folder, suffix="", captures=True):
        """`ss` every second and captures, until the stack closes."""
        stop, times = threading.Event(), []

        def sample():
            with open(folder / f"ss{suffix}.txt", "w") as out:
                began = time.monotonic()
                while not stop.is_set():
                    if self.spec.dates:
                        out.write(run(["date", f"+{self.spec.dates}"]))
                    times.append(time.monotonic() - began)
                    out.write(self.do("sender", "ss", "-tinm"))
                    stop.wait(max(0, began + len(times) - time.monotonic()))

        watcher = threading.Thread(target=sample)
        watcher.start()
        stack.callback(watcher.join)
        stack.callback(stop.set)
        if captures:
            for host in ("sender", "receiver")[:1 + self.spec.receiver_capture]:
                p = self.start(host, "tcpdump", "-i", "eth0", "-s", "96", "-B", "16384", "-Z", "root", "-w",
                               str(folder / f"{host}.pcap"), out=folder / f".tcpdump-{host}")
                stack.callback(p.wait, 10)
                stack.callback(p.send_signal, signal.SIGINT)
            stack.callback(time.sleep, 0.5)  # let the captures read what is still in their rings
            time.sleep(0.3)
        if self.spec.loaded_ping:
            p = self.start("sender", "ping", "-i", "0.5", self.address["receiver"], out=folder / f"ping-loaded{suffix}.txt")
            stack.callback(p.wait, 10)
            stack.callback(p.send_signal, signal.SIGINT)

    def cross_traffic(self, stack):
        if not self.spec.cross:
            return
        server = self.start("peer", "iperf3", "-s", "-1", "-p", "5202")
        self.listening("peer", 5202)
        how = ("-u", "-b", f"{self.spec.cross_mbit:.2f}M", "-l", "1400") if self.spec.cross == "udp" else ()
        client = self.start("other", "iperf3", "-c", self.address["peer"], "-p", "5202", "-t",
                            str(self.spec.seconds + 4), *how)
        for p in (client, server):
            stack.callback(finish, p)
        time.sleep(1)

    # ---- the programs; each returns the goodput in Mbit/s that the receiving program saw ----

    def iperf(self, folder, as_json):
        s = self.spec
        client, server = ("receiver", "sender") if s.reverse else ("sender", "receiver")
        name, how = ("json", ["-J"]) if as_json else ("txt", [])
        listing, other = folder / f"iperf3.{name}", folder / f"iperf3-server.{name}"
        p = self.start(server, "iperf3", "-s", "-1", *how, out=other)
        self.listening(server, 5201)
        q = self.start(client, "iperf3", "-c", self.address[server], "-t", str(s.seconds), *s.iperf,
                       *(["-R"] if s.reverse else []), *how, out=listing)
        finish(q, s.seconds + 15)
        finish(p, 3)
        return listed_rate(listing)

    def http(self, folder):
        s = self.spec
        with ExitStack() as stack:
            p = self.web_server(stack, folder, 2000)
            limit = ["--limit-rate", s.args["limit_rate"]] if "limit_rate" in s.args else []
            form = "%{http_code} %{size_download} bytes in %{time_total} s, %{speed_download} bytes/s\\n"
            command = ["curl", "-m", str(s.seconds), "-o", "/dev/null", *limit, "-w", form, p]
            finish(self.start("receiver", *command, out=folder / "curl.txt"), s.seconds + 5)
        speed = re.findall(r"([\d.]+) bytes/s", (folder / "curl.txt").read_text())
        return float(speed[-1]) * 8e-6 if speed else 0.0

    def web_server(self, stack, folder, megabytes):
        root = File(f"/tmp/native-web-{os.getpid()}-{self.slot}")
        root.mkdir(exist_ok=True)
        name = "image.iso" if megabytes > 1 else "page.html"
        with open(root / name, "wb") as f:
            f.truncate(int(megabytes * 1e6))
        p = self.start("sender", "python3", "-m", "http.server", "8000", "-d", str(root), out=folder / "http-server.txt")
        stack.callback(finish, p, 0.1)
        self.listening("sender", 8000)
        return f"http://{self.address['sender']}:8000/{name}"

    def short(self, folder):
        """One connection after the other, as `for i in $(seq N); do curl ...; done` makes them."""
        s, end, size, took = self.spec, time.monotonic() + self.spec.seconds, 0, 0.0
        form = "%{http_code} %{size_download} bytes in %{time_total} s, %{speed_download} bytes/s\\n"
        with ExitStack() as stack, open(folder / "curl.txt", "w") as out:
            page = self.web_server(stack, folder, s.args["object"] / 1e6)
            began = time.monotonic()
            while time.monotonic() < end:
                out.write(line := self.do("receiver", "curl", "-s", "-m", "10", "-o", "/dev/null", "-w", form, page, check=False))
                size += int(line.split()[1]) if line else 0
            took = time.monotonic() - began
        return size * 8e-6 / took

    def stream(self, folder):
        a = self.spec.args
        flags = lambda **k: [w for key, v in k.items() if v for w in (f"--{key}", str(v))]
        p = self.start("receiver", "python3", APPS, "sink", "7000", *flags(rcvbuf=a.get("rcvbuf"), rate=a.get("read_rate")),
                       out=folder / "sink.txt")
        self.listening("receiver", 7000)
        q = self.start("sender", "python3", APPS, "source", self.address["receiver"], "7000",
                       *flags(seconds=self.spec.seconds, sndbuf=a.get("sndbuf"), rate=a.get("write_rate"), chunk=a.get("chunk")),
                       out=folder / "source.txt")
        finish(q, self.spec.seconds + 10)
        finish(p, 3)
        return last_rate(folder / "sink.txt")

    def requests(self, folder):
        a = self.spec.args
        p = self.start("receiver", "python3", APPS, "serve", "7000", out=None)
        self.listening("receiver", 7000)
        q = self.start("sender", "python3", APPS, "request", self.address["receiver"], "7000", "--seconds",
                       str(self.spec.seconds), "--writes", ",".join(map(str, a["writes"])),
                       *(["--nodelay"] if a["nodelay"] else []), out=folder / "requests.txt")
        finish(q, self.spec.seconds + 20)
        finish(p, 1)
        return last_rate(folder / "requests.txt")


def finish(process, within=5):
    try:
        process.wait(within)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def last_rate(file):
    found = RATE.findall(file.read_text())
    return float(found[-1]) if found else 0.0


UNIT = {"": 1e-6, "K": 1e-3, "M": 1, "G": 1e3}


def listed_rate(file):
    """What the receiver got, in Mbit/s, from an iperf3 listing of either form."""
    text = file.read_text()
    if file.suffix == ".json":
        try:
            end = json.loads(text)["end"]
            return end["sum_received"]["bits_per_second"] / 1e6
        except (ValueError, KeyError):
            return 0.0
    lines = [l for l in text.splitlines() if l.rstrip().endswith("receiver") and "RX-C" not in l]
    lines = [l for l in lines if "SUM" in l] or lines
    if not lines:
        return 0.0
    value, unit = re.search(r"([\d.]+) ([KMG]?)bits/sec", lines[-1]).groups()
    return float(value) * UNIT[unit]

#!/usr/bin/env python3
"""Build sets of real evidence: native.py set-a 0 41 [--jobs 6] [--only a07]   (root)

set-a: the folder; 0: which hand of the deck of kinds (0, 1, 2 ...); 41: the seed of every draw.
"""

import argparse
import json
import shutil
import socket
import sys
import threading
import time
import traceback
from contextlib import ExitStack
from pathlib import Path as File

from kinds import build, draw_set
from label import kernel_counters, label, longest_delay
from path import HERE, Path

LINE_BUDGET = 260  # Mbit/s of all paths that run at once; two cores carry that beside other work


def payload_share(spec):
    mss = int(spec.iperf[spec.iperf.index("-M") + 1]) - 12 if "-M" in spec.iperf else 1448
    return mss / (mss + 52)


def transfer(path, folder, kind):
    s = path.spec
    if s.program == "iperf3":
        return path.iperf(folder, kind == "json")
    return getattr(path, s.program)(folder)


def observed_run(path, folder, kind):
    """One transfer with everything that watches it; the suffix tells the second run's files."""
    before = set(folder.iterdir())
    with ExitStack() as cross, ExitStack() as stack:
        path.cross_traffic(cross)
        path.phase(kind)
        path.watch(stack, folder, "-json" if kind == "json" else "", captures=kind != "json")
        goodput = transfer(path, folder, kind)
        path.phase(f"after-{kind}")
        time.sleep(0.4)
    files = sorted(f.name for f in set(folder.iterdir()) - before if not f.name.startswith("."))
    return {"goodput_mbit": goodput, "goodput_share": goodput / path.spec.rate / payload_share(path.spec),
            "kernel": kernel_counters((folder / f"ss{'-json' if kind == 'json' else ''}.txt").read_text()), "files": files}


def tcpdump_losses(folder):
    lost = 0
    for log in folder.glob(".tcpdump-*"):
        for line in log.read_text().splitlines():
            lost += int(line.split()[0]) if "dropped by" in line else 0
        log.unlink()
    return lost


def evidence(plan, folder, slot):
    """A path from its first ping to its label."""
    spec = build(**plan)
    folder.mkdir(parents=True)
    runs = {}
    with Path(spec, slot) as path:
        path.start_relay(folder / "relay.json")
        path.phase("ping")
        path.ping(folder / "ping.txt")
        path.snapshot(folder, "before")
        for kind in ("text", "json") if spec.program == "iperf3" else ("program",):
            runs[kind] = observed_run(path, folder, kind)
        path.snapshot(folder, "after")
        for host in ("sender", "receiver"):
            (folder / f"sysctl-{host}.txt").write_text(path.sysctls(host))
        relay = path.stop_relay()
    for kind, r in runs.items():
        r["relay"] = relay["phases"][kind]
    removals = {c: without(plan, c, folder.with_name(f".{folder.name}-{c}"), slot) for c in spec.causes}
    result = label(spec, runs, removals)
    late = [relay["phases"][k]["late_ms"] for k in runs]
    result["quality"] = {"late_p99_ms": max(l["p99"] for l in late), "late_max_ms": max(l["max"] for l in late),
                         "tun_drops": relay["tun_drops"], "tcpdump_drops": tcpdump_losses(folder)}
    result["quality"] |= host_delay(folder)
    (folder / "label.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


def host_delay(folder):
    listings = [json.loads(f.read_text() or "{}") for f in folder.glob("iperf3*.json")]
    return {"iperf3_interval_late_s": max(map(longest_delay, listings))} if listings else {}


def without(plan, cause, folder, slot):
    """Goodput of the same path when one of its causes is taken away."""
    spec = build(**plan, without=cause)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with Path(spec, slot) as path, ExitStack() as cross:
            path.start_relay(folder / "relay.json")
            path.cross_traffic(cross)
            path.phase("run")
            return transfer(path, folder, "json")
    finally:
        shutil.rmtree(folder)


def relabel(plan, folder):
    """The label again, from the files of a path that was run before."""
    spec, old = build(**plan), json.loads((folder / "label.json").read_text())
    relay = json.loads((folder / "relay.json").read_text())
    runs = {kind: {k: r[k] for k in ("goodput_mbit", "goodput_share", "files")} |
            {"relay": relay["phases"][kind],
             "kernel": kernel_counters((folder / f"ss{'-json' if kind == 'json' else ''}.txt").read_text())}
            for kind, r in old["runs"].items()}
    result = label(spec, runs, old["goodput_without"]) | {"quality": old["quality"] | host_delay(folder)}
    (folder / "label.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


class Budget:
    """Lets paths run while their lines together stay below the limit."""

    def __init__(self, limit):
        self.left, self.limit, self.changed = limit, limit, threading.Condition()

    def take(self, rate):
        with self.changed:
            self.changed.wait_for(lambda: self.left >= min(rate, self.limit))
            self.left -= min(rate, self.limit)

    def give(self, rate):
        with self.changed:
            self.left += min(rate, self.limit)
            self.changed.notify_all()


def work(plans, root, slot, budget, lock, again):
    while True:
        with lock:
            if not plans:
                return
            name, plan = plans.pop(0)
        folder = root / name
        rate = build(**plan).rate
        budget.take(rate)
        began = time.monotonic()
        try:
            if again:
                result = relabel(plan, folder)
            else:
                shutil.rmtree(folder, ignore_errors=True)
                result = evidence(plan, folder, slot)
            words = "+".join(f"{b['cause']}:{b['share']}" for b in result["binding"])
            line = f"{name} {result['sort']} -> {words or '?'}  {[r['goodput_share'] for r in result['runs'].values()]} " \
                   f"without {result['goodput_without']} late {result['quality']} {result['note']}"
        except Exception:
            line = f"{name} FAILED {traceback.format_exc()}"
            if not again:
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            budget.give(rate)
        with lock:
            print(f"[{time.monotonic() - began:.0f} s] {line}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("which", type=int)
    p.add_argument("seed", type=int)
    p.add_argument("--jobs", type=int, default=6)
    p.add_argument("--slot", type=int, default=0, help="first number of the namespaces, for two runs side by side")
    p.add_argument("--only", default="")
    p.add_argument("--relabel", action="store_true", help="write the labels again, run nothing")
    a = p.parse_args()
    if not (HERE / "relay").exists():
        sys.exit("native.py: build the relay first: gcc -O2 -o relay relay.c -lm")
    plans = [(n, q) for n, q in draw_set(a.which, a.seed) if not a.only or n in a.only.split(",")]
    # While somebody wants timestamps the kernel need not patch its code at each start of a capture,
    # which would hold the relays up for tens of milliseconds.
    keeper = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    keeper.setsockopt(socket.SOL_SOCKET, 29, 1)  # SO_TIMESTAMP
    budget, lock, root = Budget(LINE_BUDGET), threading.Lock(), File(a.folder).resolve()
    threads = [threading.Thread(target=work, args=(plans, root, a.slot + i, budget, lock, a.relabel)) for i in range(a.jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Hold the relay against arithmetic: round-trip time, rate, loss, queue, policer, a clean path (root)."""

import math
import sys
from contextlib import ExitStack
from pathlib import Path as File

from kinds import Spec
from path import Path

FOLDER = File("/tmp/native-validate")
FAILED = []


def check(what, value, lo, hi):
    good = lo <= value <= hi
    print(f"{'ok  ' if good else 'FAIL'} {what}: {value:.4g} (must be {lo:.4g} to {hi:.4g})", flush=True)
    if not good:
        FAILED.append(what)


def run(slot, rate, rtt, queue=1000, seconds=6, iperf=(), **fwd):
    FOLDER.mkdir(exist_ok=True)
    s = Spec(slot, rate, rtt, 1, [], seconds=seconds, iperf=list(iperf))
    s.sender = {"net.ipv4.tcp_congestion_control": "cubic"}
    s.fwd = {"rate": rate * 1e6, "delay": rtt / 2, "queue_packets": queue} | fwd
    s.rev = {"rate": rate * 1e6, "delay": rtt / 2}
    with Path(s, slot) as path, ExitStack() as stack:
        path.start_relay(FOLDER / "relay.json")
        path.phase("ping")
        path.ping(FOLDER / "ping.txt", 20, 0.05)
        path.phase("run")
        goodput = path.iperf(FOLDER, True)
        path.phase("end")
        report = path.stop_relay()
    line = (FOLDER / "ping.txt").read_text().strip().splitlines()[-1]
    return goodput, report["phases"]["run"], [float(x) for x in line.split(" = ")[1].split()[0].split("/")]


def main():
    for rate, rtt in ((10, 2), (50, 20), (100, 60), (20, 200), (200, 10)):
        packets = max(20, int(rate * rtt * 125 / 1500))
        goodput, phase, ping = run(90, rate, rtt, packets, seconds=10, iperf=("-O", "3"))  # without slow start
        fwd = phase["fwd"]
        wire = 84 * 8 / rate / 1e3 * 2
        check(f"{rate} Mbit/s, {rtt} ms: mean ping, ms", ping[1], rtt + wire - 0.2, rtt + wire + 1)
        seconds = [s["out_mbit"] for s in fwd["per_second"] if s["busy"] > 0.999]
        if seconds:
            check("  rate of full seconds, Mbit/s", sum(seconds) / len(seconds), 0.99 * rate, 1.01 * rate)
        # iperf3 counts at the receiver what was still queued when -O ended: at most two round trips.
        check("  clean path: share of the line", goodput / rate * 1500 / 1448, 0.93, 1.005 + 2 * rtt / 10e3)
        check("  largest queue, packets", fwd["queue_max_packets"], 1, packets)
        check("  largest wait, ms", fwd["wait_max_ms"], 0, (packets + 1) * 12 / rate)
        check("  p99 lateness, ms", phase["late_ms"]["p99"], 0, max(2, 0.05 * rtt))
    for loss in (0.001, 0.01, 0.03):
        fwd = run(90, 50, 10, iperf=("-b", "20M"), seconds=8, loss=loss)[1]["fwd"]
        n, sigma = fwd["packets_in"], math.sqrt(loss * (1 - loss) / fwd["packets_in"])
        check(f"loss {loss} of {n} packets", fwd["drops"]["random"] / n, loss - 3 * sigma, loss + 3 * sigma)
    fwd = run(90, 50, 10, iperf=("-b", "10M"), seconds=10, burst_p=0.002, burst_r=0.2)[1]["fwd"]
    share = 0.002 / 0.202  # stationary share of the bad state
    n = fwd["packets_in"]
    sigma = math.sqrt(share * (1 - share) / n * (2 / 0.202 - 1))
    check("Gilbert-Elliott loss", fwd["drops"]["burst"] / n, share - 3 * sigma, share + 3 * sigma)
    # The bucket is deep enough to bridge the pauses of iperf3's own timer.
    fwd = run(90, 100, 10, iperf=("-u", "-b", "30M", "-l", "1400"), police_rate=10e6, police_burst=400000)[1]["fwd"]
    took = fwd["last_data_s"] - fwd["first_data_s"]
    passed = 10e6 * took / 8 + 400000
    check("policer under UDP, bytes", fwd["bytes_out"], 0.99 * passed, 1.005 * passed)
    fwd = run(90, 50, 20, reorder=0.05, reorder_delay=10)[1]["fwd"]
    n = fwd["data_packets_in"]
    check("reordered share", fwd["reordered"] / n, 0.05 - 3 * math.sqrt(0.05 * 0.95 / n), 0.05 + 3 * math.sqrt(0.05 * 0.95 / n))
    sys.exit(f"{len(FAILED)} checks failed" if FAILED else 0)


if __name__ == "__main__":
    main()

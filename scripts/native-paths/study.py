#!/usr/bin/env python3
"""What docs/diagnosis.md says of recorded paths beside the score, and what random losses make of a window.

study.py ends SET…      how much longer iperf3's receiver ran than its sender, beside RTTs
study.py losses SET…    how ssthresh varies after the losses of each path, and over what
study.py windows SET…   how long the window was below a fifth of its largest, late in each capture
study.py starts SET…    what slow start loses at its end, over what later seconds lose, where it cannot be the line's queue
study.py little SET…    how far cwnd over RTT strays in -J, over how far cwnd does; and RTT under load over the idle path's
study.py random         the same as `losses` and rates of seconds, of simulated transfers with random losses
"""
import json, pathlib, random, re, statistics, subprocess, sys

CONTROLS = {"reno": 0.5, "cubic": 0.7}  # what a loss leaves of cwnd (RFC 5681, RFC 9438)
ONE, AT_LOSSES, AT_ENDS = 0.45, 0.8, 0.9  # crates/diagnosis/src/diagnose/regular.rs


def paths(sets):
    for folder in sorted(path for name in sets for path in pathlib.Path(name).iterdir()):
        if (folder / "label.json").exists():
            yield folder, json.loads((folder / "label.json").read_text())


def ends(sets):
    for folder, label in paths(sets):
        if label["sender_is"] != "client" or not (folder / "iperf3.json").exists():
            continue
        run = json.loads((folder / "iperf3.json").read_text())
        test, end = run["start"].get("test_start", {}), run.get("end", {})
        if test.get("reverse") or test.get("bidir") or "sum_received" not in end:
            continue
        rtts = [stream.get("rtt", 0) / 1e3 for part in run["intervals"][2:] for stream in part["streams"]]
        apart = 1e3 * (end["sum_received"]["seconds"] - end["sum_sent"]["seconds"])
        rtt, last = label["rtt_ms"], rtts[-1] if rtts else 0
        print(f"{folder} {label['sort']}: path {rtt} ms, RTT at last {last:.1f} ms, receiver longer by {apart:.1f} ms")


def losses(sets):
    for folder, label in paths(sets):
        listing = folder / "ss.txt"
        text = listing.read_text() if listing.exists() else ""
        connections = {}
        for match in re.finditer(r"ESTAB\s+\d+\s+\d+\s+(\S+)\s+(\S+).*?\n\s+(.*)", text):
            connections.setdefault(match[1] + match[2], []).append(match[3])
        number = lambda name, line: float((re.search(name + r":(?:\d+/)?(\d+)", line) or [0, 0])[1])
        screens = max(connections.values(), key=lambda all: number("bytes_sent", all[-1]), default=[])
        pairs = zip(screens[2:], screens[3:])
        left = [number("ssthresh", b) for a, b in pairs if number(" retrans", b) > number(" retrans", a)]
        if len(left) >= 5 and min(left) > 0:
            varies = statistics.stdev(left) / statistics.mean(left)
            print(f"{folder} {label['sort']}: {len(left)} screens with losses, ssthresh varies by {varies:.2f}")


def windows(sets):
    for folder, label in paths(sets):
        dump = subprocess.run(["tcpdump", "-nr", folder / "sender.pcap", "tcp"], capture_output=True, text=True).stdout
        ways = {}
        for match in re.finditer(r"^(\d+):(\d+):([\d.]+) IP (\S+) > (\S+): Flags \[([^S\]]*)\].*? win (\d+).*length (\d+)", dump, re.M):
            at = 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])
            ways.setdefault((match[4], match[5]), []).append((at, int(match[7]), int(match[8])))
        data = max(ways, key=lambda way: sum(length for *_, length in ways[way]), default=(0, 0))
        acks = ways.get(data[::-1], [])
        if len(acks) < 20:
            continue
        half, fifth = (acks[0][0] + acks[-1][0]) / 2, max(window for _, window, _ in acks) / 5
        low = sum(b[0] - a[0] for a, b in zip(acks, acks[1:]) if a[0] > half and a[1] < fifth)
        print(f"{folder} {label['sort']}: below a fifth for {low / (acks[-1][0] - half):.2f} of the later half")


def starts(sets):
    for folder, label in paths(sets):
        listing = folder / "iperf3.json"
        run = json.loads(listing.read_text()) if listing.exists() else {}
        seconds = [part["streams"] for part in run.get("intervals", [])]
        if len(seconds) < 6 or "retransmits" not in (seconds[0] or [{}])[0]:
            continue
        lost = [sum(stream["retransmits"] for stream in second if stream["sender"]) for second in seconds]
        rates = [sum(stream["bits_per_second"] for stream in second if stream["sender"]) / 1e6 for second in seconds]
        first = next((at for at, lost in enumerate(lost[:2]) if lost), None)
        later = [lost for lost in lost[first + 2:] if lost] if first is not None else []
        rtts = sorted(max(stream.get("rtt", 0) for stream in second) / 1e3 for second in seconds)
        flat = rtts[int(0.95 * len(rtts))] < 1.15 * label["rtt_ms"] + 2
        bdp = label["line_rate_mbit"] * label["rtt_ms"] * 1e3 / 8 / 1448
        at_once = sum(lost[first or 0:][:2])
        many = later and at_once >= max(15 * len(seconds[0]), 4 * statistics.mean(later))
        if many and flat and at_once < 0.5 * bdp and max(rates) < 0.6 * label["line_rate_mbit"]:
            print(f"{folder} {label['sort']}: {at_once} at once, {statistics.mean(later):.1f} later, BDP {bdp:.0f}")


def strays(values):
    middle = statistics.median(values)
    return statistics.median(abs(value - middle) for value in values) / middle


def little(sets):
    for folder, label in paths(sets):
        listing = folder / "iperf3.json"
        run = json.loads(listing.read_text()) if listing.exists() else {}
        seconds = [part["streams"][0] for part in run.get("intervals", [])[1:] if len(part["streams"]) == 1]
        known = [(one["snd_cwnd"], one["rtt"] / 1e3) for one in seconds if one.get("rtt") and one.get("snd_cwnd")]
        if len(known) < 7:
            continue
        moves, rates = strays([window for window, _ in known]), strays([window / rtt for window, rtt in known])
        raised = statistics.median(rtt for _, rtt in known) / label["rtt_ms"]
        ratio = f"{rates / moves:.2f}" if moves > 0.03 else "none: cwnd hardly moves"
        causes = "+".join(one["cause"] for one in label["binding"]) or "full line"
        print(f"{folder} {causes}: strays {ratio}, RTT {raised:.2f} times")


def transfer(control, share, rtt, seconds=10, skip=2):
    """Round by round: ssthresh after seconds with losses, cwnd and packets of each second, losses per second."""
    leaves, cwnd, threshold, most, began, friendly = CONTROLS[control], 10.0, None, None, 0.0, 0.0
    time, second, packets, lost, left, ends, rates, all_lost = 0.0, 1, 0, 0, [], [], [], []
    while second <= seconds:
        time += rtt
        while time >= second:
            if second > skip:
                left += [max(2, int(threshold))] if lost and threshold else []
                ends.append(max(1, int(cwnd)))
                rates.append(packets)
                all_lost.append(lost)
            packets, lost, second = 0, 0, second + 1
        sent = max(1, int(cwnd))
        drops = sum(random.random() < share for _ in range(sent))
        packets, lost = packets + sent, lost + drops
        if drops:
            most = cwnd * (1 + leaves) / 2 if most and cwnd < most else cwnd
            threshold = cwnd = friendly = max(2, cwnd * leaves)
            began = time
        elif threshold is None:
            cwnd *= 2
        elif control == "reno":
            cwnd += 1
        else:
            friendly += 3 * (1 - leaves) / (1 + leaves)
            to_most = (max(0, most - threshold) / 0.4) ** (1 / 3)
            cwnd = max(cwnd + min(max(0.4 * (time - began - to_most) ** 3 + most - cwnd, 0), cwnd / 2), friendly)
    return left, ends, rates, statistics.mean(all_lost)


def simulated():
    random.seed(1)
    alone, alone_at_ends, together = {"reno": [], "cubic": []}, {"reno": [], "cubic": []}, {}
    for control, leaves in CONTROLS.items():
        for rtt in (0.005, 0.02, 0.05, 0.1, 0.2):
            for share in (0.001, 0.003, 0.01, 0.03):
                for _ in range(200):
                    left, ends, rates, lost = transfer(control, share, rtt)
                    if len(left) < 5:
                        continue
                    windows, at_ends, seconds = (statistics.stdev(of) / statistics.mean(of) for of in (left, ends, rates))
                    alone[control].append(windows)
                    alone_at_ends[control].append(at_ends / (1 - leaves))
                    often = "from 4 losses a second on" if lost >= 4 else "from 2 on" if lost >= 2 else "below 2"
                    for name, windows in (("ssthresh", windows / AT_LOSSES), ("cwnd", at_ends / AT_ENDS)):
                        both = (seconds * lost**0.5 / ONE) ** 2 + (windows / (1 - leaves)) ** 2
                        together.setdefault(f"{name}, {often}", []).append(both / 2)
    at = lambda values, part: sorted(values)[int(part * len(values))]
    for name, values in alone.items():
        print(f"{name}: ssthresh varies by {at(values, 0.5):.2f} in the middle, one in a hundred less than {at(values, 0.01):.2f}")
    for name, values in alone_at_ends.items():
        print(f"{name}: cwnd at the end of seconds varies by {at(values, 0.5):.2f} of what a loss takes in the middle")
    for name, values in sorted(together.items()):
        print(f"rates and {name}: both variances come to less than {at(values, 0.01):.3f} in one of a hundred of {len(values)}")


if __name__ == "__main__":
    what, *sets = sys.argv[1:] or ["help"]
    studies = {"ends": ends, "losses": losses, "windows": windows, "starts": starts, "little": little, "random": lambda _: simulated()}
    studies.get(what, lambda _: print(__doc__))(sets)

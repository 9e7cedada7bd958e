"""The label of a path: what bound it, from the relay's counters and the sender's kernel."""

import re

from kinds import CAUSES

# A part of the time or of the possible gain below this is not called binding.
FLOOR = 0.10
FULL = 0.90

ALSO = {
    "bufferbloat": ["full-line"], "burst-loss": ["random-loss"], "slow-reader": ["receive-window"],
    "mtu-hole-probed": ["mtu-hole"], "short-flows": ["application"], "nagle": ["application"],
}
# What the counters do not time: the share is what the goodput lacks of a run without the cause.
BY_REMOVAL = {"send-buffer", "nagle", "short-flows"}
UNDECIDABLE = {  # evidence from which an engineer could not tell this cause
    "full-line": [], "bufferbloat": ["text"], "receive-window": ["text"], "slow-reader": ["text", "json"],
    "send-buffer": ["text", "json"], "application": ["text"], "random-loss": ["text"], "burst-loss": ["text"],
    "policer": ["text"], "shallow-buffer": ["text", "json"], "outage": [], "mtu-hole": [], "mtu-hole-probed": ["text"],
    "length-fault": ["text", "json"], "reordering": ["text", "json"], "ecn": ["text", "json"], "nagle": ["text", "json"],
    "short-flows": ["text", "json"], "ack-path": ["text", "json"],
}


def connections(ss_text):
    """Last sample of each data connection: {addresses: {field: value}}, and how often it was app_limited."""
    last, samples, limited = {}, {}, {}
    for head, info in re.findall(r"^(?:ESTAB|FIN-WAIT-\d|CLOSE-WAIT|LAST-ACK|CLOSING)\s+\d+\s+\d+\s+(\S+\s+\S+).*\n((?:\s+.*\n?)*)", ss_text, re.M):
        head = " ".join(head.split())
        fields = {k: float(v) for k, v in re.findall(r"\b(\w+):(\d+(?:\.\d+)?)(?![\d.])", info)}
        last[head] = fields
        samples[head] = samples.get(head, 0) + 1
        limited[head] = limited.get(head, 0) + (" app_limited" in info)
    most = max((f.get("bytes_sent", 0) for f in last.values()), default=0)
    return [f | {"samples": samples[h], "app_limited_share": limited[h] / samples[h]}
            for h, f in last.items() if f.get("bytes_sent", 0) > 0.05 * most]  # not iperf3's control connection


def kernel_counters(ss_text):
    all_of = connections(ss_text)
    total = lambda k: sum(c.get(k, 0) for c in all_of)
    busy = total("busy") or 1
    return {"connections": len(all_of), "busy_ms": total("busy"), "rwnd_limited_ms": total("rwnd_limited"),
            "sndbuf_limited_ms": total("sndbuf_limited"), "rwnd_share": round(total("rwnd_limited") / busy, 4),
            "sndbuf_share": round(total("sndbuf_limited") / busy, 4),
            "app_limited_share": round(sum(c["app_limited_share"] for c in all_of) / max(1, len(all_of)), 3),
            "bytes_sent": total("bytes_sent"), "bytes_retrans": total("bytes_retrans"),
            "reord_seen": total("reord_seen"), "delivered_ce": total("delivered_ce")}


def active(way):
    """The per-second records between the first and the last data packet."""
    return way["per_second"][int(way["first_data_s"]):int(way["last_data_s"]) + 1] or way["per_second"][:1]


def stalled_share(way):
    seconds = active(way)
    return sum(s["out_mbit"] < 0.1 * max(x["out_mbit"] for x in seconds) for s in seconds) / len(seconds)


def share(word, run, spec):
    """How much of the transfer this cause held, from the counters; 0 where its mechanism never acted."""
    fwd, rev, kernel = run["relay"]["fwd"], run["relay"]["rev"], run["kernel"]
    drops, events = fwd["data_drops"], fwd["drop_events"]
    cwnd = max(0.0, 1 - kernel["rwnd_share"] - kernel["sndbuf_share"])
    total = sum(events[k] for k in ("random", "burst", "policer", "queue", "length")) or 1
    of_events = lambda name: cwnd * events[name] / total if drops[name] else 0.0
    target = spec.parameters.get("application-b", {}).get("b_mbit") or \
        spec.parameters.get("application-program", {}).get("write_mbit") or 0
    reached = lambda wanted: min(1.0, run["goodput_mbit"] / wanted) if run["goodput_mbit"] >= 0.93 * wanted else 0.0
    streams = int(spec.iperf[spec.iperf.index("-P") + 1]) if "-P" in spec.iperf and "application-b" in spec.causes else 1
    return {
        "receive-window": lambda: kernel["rwnd_share"],
        "slow-reader": lambda: max(kernel["rwnd_share"], reached(spec.parameters["slow-reader"]["read_mbit"])),
        "send-buffer": lambda: kernel["sndbuf_share"],
        "application": lambda: min(1.0, run["goodput_mbit"] / (streams * target)) if target else 0.0,
        "random-loss": lambda: of_events("random"), "burst-loss": lambda: of_events("burst"),
        "policer": lambda: of_events("policer"), "shallow-buffer": lambda: of_events("queue"),
        "bufferbloat": lambda: min(1.0, fwd["standing_queue_s"] / max(0.1, fwd["last_data_s"] - fwd["first_data_s"])),
        "outage": lambda: min(1.0, stalled_share(fwd)) if drops["outage"] or rev["drops"]["outage"] else 0.0,
        "mtu-hole": lambda: 1.0 if drops["mtu_hole"] and run["goodput_share"] < 0.02 else 0.0,
        "mtu-hole-probed": lambda: max(stalled_share(fwd), 0.01) if drops["mtu_hole"] else 0.0,
        "length-fault": lambda: 1.0 if drops["length"] else 0.0,
        "reordering": lambda: cwnd * min(1.0, fwd["reordered"] / (fwd["reordered"] + 3 * sum(drops.values()) or 1)),
        "ecn": lambda: cwnd * min(1.0, fwd["ce_marked"] / 20), "nagle": lambda: 0.0, "short-flows": lambda: 0.0,
        "ack-path": lambda: rev["busy_share"],
        "full-line": lambda: fwd["busy_share"],
    }[word]()


def without_causes(run, spec):
    """A path on which nothing was put: its line, or a queue too short for the sender's bursts."""
    fwd = run["relay"]["fwd"]
    if fwd["busy_share"] >= 0.8 or run["relay"]["rev"]["busy_share"] >= 0.9:
        return [{"cause": "full-line", "share": round(max(fwd["busy_share"], run["goodput_share"]), 3)}]
    if fwd["drop_events"]["queue"] >= 3 and (spec.queue < 1 or spec.fwd["queue_packets"] <= 64):
        return [{"cause": "shallow-buffer", "share": round(1 - fwd["busy_share"], 3)}]
    return []


def judge(run, spec, removals):
    """Binding causes of one run, the largest first. `removals`: goodput with one cause taken away."""
    words = [CAUSES[c].word for c in spec.causes]
    fwd, goodput = run["relay"]["fwd"], max(run["goodput_mbit"], 0.001)
    if not words:
        return without_causes(run, spec)
    bloat = "bufferbloat" in words and fwd["wait_mean_ms"] >= 2 * spec.rtt
    if run["goodput_share"] >= FULL:
        return [{"cause": "bufferbloat" if bloat else "full-line", "share": round(fwd["busy_share"], 3)}]
    found = []
    for cause, word in zip(spec.causes, words):
        if word == "bufferbloat" and not bloat:
            continue
        if word == "mtu-hole-probed" and run["goodput_share"] < 0.02:
            word = "mtu-hole"
        part, basis = share(word, run, spec), "counters"
        got = removals.get(cause)
        gain = None if got is None else round(got / goodput - 1, 3)
        if word in BY_REMOVAL and gain is not None and (lost := 1 - 1 / (1 + max(0, gain))) > part:
            part, basis = lost, "removal"
        if part >= FLOOR or part > 0 and (gain or 0) >= 0.15:
            found.append({"cause": word, "share": round(min(1, part), 3), "basis": basis, "gain_without": gain})
    met = [f for f in found if f["cause"] in ("application", "slow-reader") and f["share"] >= 0.93]
    if met:  # the program got what it asked for
        return met + [f for f in found if f not in met and (f["gain_without"] or 0) >= 0.15]
    found.sort(key=lambda f: (-(f["gain_without"] or 0), -f["share"]))
    return found[:1] + [f for f in found[1:] if (f["gain_without"] or 0) >= 0.1 or f["share"] >= 0.25]


def longest_delay(listing):
    """By how much iperf3 was late with its worst interval, in s: its host was short of processor."""
    intervals = [i["sum"]["seconds"] for i in listing.get("intervals", [])
                 if i.get("sum") and i["sum"]["end"] - i["sum"]["start"] > 0.9 * i["sum"]["seconds"]]  # not the one after -O
    return round(max(intervals) - sorted(intervals)[len(intervals) // 2], 3) if intervals else 0.0


def label(spec, runs, removals):
    judged = {name: judge(run, spec, removals) for name, run in runs.items()}
    main = judged.get("text") or max(judged.values(), key=len)
    causes = [f["cause"] for f in main]
    firsts = {j[0]["cause"] for j in judged.values() if j}
    notes = []
    if len(firsts) > 1:
        notes.append("the runs differ in their first cause: see runs")
    if not causes:
        notes.append("nothing that was built in bound by its counters, and the line was not full: slow start; leave this path out of scores")
    if len(causes) > 1:
        notes.append("gain_without is goodput of a run without that cause over this run's, less 1")
    also = {a for c in causes[:1] for a in ALSO.get(c, [])} | (firsts - set(causes[:1]))
    if len(main) > 1 and None not in (first := main[0]["gain_without"], second := main[1]["gain_without"]) \
            and second >= 0.8 * first - 0.05:
        also.add(causes[1])
        notes.append("the two causes bind about equally")
    one = next(iter(runs.values()))
    fwd = one["relay"]["fwd"]
    # What acted without being first, and bursts that a line in use had no room for, are no false answers.
    also |= {w for w in map(lambda c: CAUSES[c].word, spec.causes) if w not in causes and share(w, one, spec) >= 0.2}
    if causes == ["full-line"] and one["goodput_share"] < FULL and fwd["drop_events"]["queue"] >= 3 and not spec.cross:
        also.add("shallow-buffer")
    return {
        "intended": [CAUSES[c].word for c in spec.causes] or ["full-line"],
        "sort": spec.tag or "+".join(spec.causes), "binding": main, "also_acceptable": sorted(also),
        "line_rate_mbit": spec.rate, "rtt_ms": spec.rtt, "buffer_packets": spec.fwd["queue_packets"],
        "undecidable_from": sorted(set(UNDECIDABLE.get(causes[0], []))) if causes else ["text"],
        "program": spec.program, "sender_is": "iperf3 server (-R)" if spec.reverse else "client" if spec.program in ("iperf3", "stream", "requests") else "server",
        "parameters": spec.parameters, "goodput_without": {k: round(v, 2) for k, v in removals.items()},
        "runs": {name: {"binding": judged[name], "goodput_mbit": round(run["goodput_mbit"], 3),
                        "goodput_share": round(run["goodput_share"], 3), "kernel": run["kernel"], "files": run["files"]}
                 for name, run in runs.items()},
        "queue_drops": fwd["drops"]["queue"], "note": "; ".join(notes),
    }

#!/usr/bin/env python3
"""Holds `goodput diagnose` against the labels of native.py's paths, from each kind of evidence.

    scripts/native-paths/score.py SET... [-v] [--norate]

GOODPUT names the program. -v lists what was missed; --norate does not tell the line's rate.
"""
import collections, json, os, pathlib, subprocess, sys

GOODPUT = os.environ.get("GOODPUT", "goodput")

# What an expert names, and what else is right.
RULES = {
    "full-line": ["none"],
    # A line that is full of what others send: that they do, and what is left, is as right.
    "shared-line": ["none", "cross-traffic", "rate-cap"],
    "bufferbloat": ["bufferbloat", "rate-cap"],
    "receive-window": ["receiver-window", "window-or-buffer"],
    "slow-reader": ["receiver-not-reading"],
    "send-buffer": ["send-buffer"],
    "application": ["application-limited"],
    "random-loss": ["loss-response"],
    "burst-loss": ["loss-response", "timeouts"],
    "policer": ["policer", "rate-cap"],
    "shallow-buffer": ["shallow-buffer", "loss-response"],
    "outage": ["outage", "timeouts"],
    "mtu-hole": ["mtu-black-hole"],
    "mtu-hole-probed": ["mtu-black-hole"],
    "length-fault": ["packet-length", "mtu-black-hole"],
    "reordering": ["reordering"],
    "ecn": ["ecn-marks"],
    "nagle": ["nagle-delayed-ack"],
    "short-flows": ["short-flows"],
    "ack-path": ["cross-traffic"],
}
# The same at low confidence.
DOUBTFUL = {
    "send-buffer": ["receiver-window", "window-or-buffer"],
    "slow-reader": ["receiver-window", "window-or-buffer"],
}
LINES = (["full-line"], ["shared-line"])
FULL = 0.85
# A second cause is asked for if the path gives so much more without it.
GAIN = 0.1
HELPED_BY_BBR = {"random-loss", "burst-loss", "shallow-buffer"}
TIERS = {
    "text": ["ping.txt", "iperf3.txt"],
    "json": ["ping.txt", "iperf3.json"],
    "ss": ["sysctl-sender.txt", "ss.txt"],
    "capture": ["sender.pcap"],
    "all": None,
}
LABELS = ("relay.json", "label.json")


def rules(causes, table=RULES):
    return {rule for cause in causes for rule in table.get(cause, [])}


def files_of(path, tier):
    """The last of a tier's files is the one that it cannot do without. Of two listings of one path the richer one is taken."""
    names = TIERS[tier]
    if names is None:
        names = [f.name for f in sorted(path.iterdir()) if f.suffix in (".txt", ".json", ".pcap")]
        return [path / name for name in names if name not in LABELS + ("iperf3.txt",)]
    return [path / name for name in names if (path / name).exists()] if (path / names[-1]).exists() else []


def causes_of(label):
    """None where the line was not full and nothing that was built in bound."""
    binding = label["binding"]
    share = max([run.get("goodput_share") or 0 for run in label["runs"].values()] or [1])
    if not binding and share < FULL or [b["cause"] for b in binding] == ["full-line"] and binding[0]["share"] < FULL:
        return None
    causes = [b["cause"] for b in binding] or ["full-line"]
    return ["shared-line"] if causes == ["full-line"] and share < FULL else causes


def findings(files, rate):
    command = [GOODPUT, "diagnose", "--json", *map(str, files)] + (["--rate", f"{rate}Mbit/s"] if rate else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return [found for one in json.loads(done.stdout)["cases"] for found in one["diagnosis"]["findings"]]


def is_harmful(found, causes, good):
    now = [step for remedy in found["remedies"] for step in remedy["now"]]
    own = found["rule"] in good or found["rule"] in rules(causes, DOUBTFUL)
    bbr = any("congestion_control=bbr" in step for step in now)
    return not found["follows"] and (bool(now) and not own or bbr and not HELPED_BY_BBR & set(causes))


def judged(label, causes, found):
    """Right, acceptable, undecided or wrong; the first problem; rules with harmful commands; whether both of two are named."""
    problems = [f for f in found if f["severity"] == "problem"]
    top = problems[0] if problems else {"rule": "none", "confidence": None}
    good = rules(causes + label.get("also_acceptable", []))
    doubtful = top["confidence"] == "low" and top["rule"] in rules(causes, DOUBTFUL)
    if top["rule"] == RULES[causes[0]][0] or causes in LINES and top["rule"] in good:
        verdict = "right"
    elif top["rule"] in good or doubtful:
        verdict = "acceptable"
    else:
        verdict = "undecided" if top["rule"] == "none" else "wrong"
    harmful = [f["rule"] for f in problems if is_harmful(f, causes, good)]
    named = {f["rule"] for f in found}
    asked = [b["cause"] for b in label["binding"] if b.get("gain_without", GAIN) >= GAIN]
    both = all(named & set(RULES[cause]) for cause in causes) if set(causes[1:]) & set(asked) else None
    return verdict, top, harmful, both


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    told, verbose = "--norate" not in sys.argv, "-v" in sys.argv
    count = {tier: collections.Counter() for tier in TIERS}
    misses = []
    paths = sorted(path for name in names for path in pathlib.Path(name).iterdir() if (path / "label.json").exists())
    for path in paths:
        label = json.loads((path / "label.json").read_text())
        causes = causes_of(label)
        for tier in TIERS if causes else []:
            files = files_of(path, tier)
            if not files:
                continue
            verdict, top, harmful, both = judged(label, causes, findings(files, label["line_rate_mbit"] if told else None))
            one = count[tier]
            kind = "full " if causes in LINES else ""
            one[kind + verdict] += 1
            one["harmful"] += bool(harmful)
            one["high and wrong"] += verdict == "wrong" and top["confidence"] == "high"
            one["pairs"] += both is not None
            one["both"] += bool(both)
            if verdict in ("wrong", "undecided") or harmful:
                open_ = " (cannot be told)" if tier in label.get("undecidable_from", []) else ""
                misses.append(f"{path.name} {tier}: {'+'.join(causes)}{open_}, found {top['rule']} {top['confidence'] or ''} {harmful or ''}")
    print("| evidence | paths with a cause | right first | acceptable | undecided | wrong | wrong, high confidence | harmful | pairs: both named | full lines: no problem named |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for tier, one in count.items():
        faulty = sum(one[v] for v in ("right", "acceptable", "undecided", "wrong"))
        full = sum(n for v, n in one.items() if v.startswith("full "))
        share = 100 * (one["right"] + one["acceptable"]) / max(faulty, 1)
        print(f"| {tier} | {faulty} | {one['right']} ({share:.0f} %) | {one['acceptable']} | {one['undecided']} | {one['wrong']} | "
              f"{one['high and wrong']} | {one['harmful']} | {one['both']} of {one['pairs']} | {one['full right']} of {full} |")
    if verbose:
        print(*misses, sep="\n")


main()

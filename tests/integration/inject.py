#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inject: `selftest inject` on this machine, and its scores computed again from the samples that it kept.

Short passes always; with NF_LONG=1 thirty seconds each, where hits without bursts must not prefer the
injected phase (one more seed is tried: the test's level is 1 %)."""
import array
import bisect
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

BIN = os.environ["NF_BIN"]
LONG = os.environ.get("NF_LONG") == "1"
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def run(folder, *args):
    done = subprocess.run([BIN, "--json", "--runs", folder, "selftest", "inject", *args], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr, done.stdout[-500:])
    record = json.loads(done.stdout)
    path = next(p for p in pathlib.Path(folder).iterdir() if json.loads((p / "record.json").read_text()) == record)
    return path, record


def stream(path, one, name):
    ref = next(s for s in one["facts"]["streams"] if s["stream"] == name)
    out = subprocess.run([BIN, "samples", "--stream", name, path / ref["file"]], capture_output=True, check=True).stdout
    values = array.array("q", (int(v) for v in out.split()))
    assert len(values) == ref["count"], name
    return values


def hits_of(path, probe, one, cpu):
    """(begin, length, lost) in ticks from the first sample."""
    if probe == "detour":
        length = stream(path, one, f"detour.cpu{cpu}.length")
        return list(zip(stream(path, one, f"detour.cpu{cpu}.start"), length, length))
    quanta = stream(path, one, f"fwq.cpu{cpu}")
    least, at, hits = min(quanta), 0, []
    for q in quanta:
        if q - least > one["threshold_ticks"]:
            hits.append((at, q, q - least))
        at += q
    assert at == one["span_ticks"]
    return hits


def check_found(path, probe, one, cpu):
    hits = hits_of(path, probe, one, cpu)
    ends = [b + n for b, n, _ in hits]
    bursts = list(zip(stream(path, one, "inject.begin"), stream(path, one, "inject.end")))
    begin_error, excess, found, inside, on = [], [], 0, 0, {}
    mine = []
    for begin, end in bursts:
        if begin < 0 or end > one["span_ticks"]:
            continue
        inside += 1
        at = bisect.bisect_right(ends, begin)
        over = []
        while at < len(hits) and hits[at][0] < end:
            over.append((min(ends[at], end) - max(hits[at][0], begin), -at))
            on[at] = on.get(at, 0) + 1
            at += 1
        if over:
            found += 1
            h = -max(over)[1]
            begin_error.append(hits[h][0] - begin)
            mine.append((h, begin, end))
    for h, begin, end in mine:
        assert hits[h][0] <= begin and ends[h] >= end, f"{probe}: the hit {hits[h]} does not enclose {begin}..{end}"
        if on[h] == 1:
            excess.append(hits[h][2] - (end - begin))
    f = one["found"]
    assert (f["bursts"], f["found"], f["enclosed"]) == (inside, found, found), (f, inside, found)
    assert f["begin_late"] == f["end_early"] == 0
    assert f["hits"] == len(hits) and f["hits_on_bursts"] == len(on) and f["shared"] == sum(v > 1 for v in on.values())
    assert list(stream(path, one, "inject.begin_error")) == begin_error
    assert list(stream(path, one, "inject.excess")) == excess
    assert f["recall_ratio"] == found / inside >= 0.995, f["recall_ratio"]
    ok(f"{probe}: {found} of {inside} bursts found, every hit encloses its burst, figures as computed again")


def check_interval(probe, f):
    """Both ends of the exact interval have their tail, by the binomial sum itself."""

    def tail(p, ks):
        n = f["bursts"]
        return math.fsum(math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) +
                                  (n - k) * math.log1p(-p)) for k in ks)

    lo, hi = f["recall_lo"], f["recall_hi"]
    assert 0 < lo < f["recall_ratio"] <= hi
    assert math.isclose(tail(lo, range(f["found"], f["bursts"] + 1)), 0.025, rel_tol=1e-6)
    assert hi == 1 if f["found"] == f["bursts"] else \
        math.isclose(tail(hi, range(f["found"] + 1)), 0.025, rel_tol=1e-6)
    ok(f"{probe}: the recall's interval has the tails that it promises")


def check_chance(path, probe, p, plan):
    """What hits cover of the bursts' instants, had they been made in the pass without."""
    one, other, c = p["injected"], p["control"], p["control"]["chance"]
    assert one["chance"] is None

    def slope(x):
        return (x["after_tick"] - x["before_tick"]) / (x["after_ns"] - x["before_ns"])

    def ns(x, tick):
        return x["before_ns"] + (tick - x["before_tick"]) / slope(x)

    shift = plan["period_ns"] * math.ceil((ns(other, 0) - ns(one, 0)) / plan["period_ns"])
    assert c["shift_ns"] == shift > 0
    hits = hits_of(path, probe, other, plan["cpu"])
    ends = [b + n for b, n, _ in hits]
    # A burst that begins or ends where a hit or the span does may round to either side.
    inside, covered, edge = 0, 0, 0
    for begin, end in zip(stream(path, one, "inject.begin"), stream(path, one, "inject.end")):
        at = other["before_tick"] + (ns(one, begin) + shift - other["before_ns"]) * slope(other)
        verdicts = set()
        for b in (round(at) - 1, round(at), round(at) + 1):
            e = b + end - begin
            k = bisect.bisect_right(ends, b)
            verdicts.add((b >= 0 and e <= other["span_ticks"], k < len(hits) and hits[k][0] < e))
        edge += len(verdicts) > 1
        b = round(at)
        k, is_inside = bisect.bisect_right(ends, b), b >= 0 and b + end - begin <= other["span_ticks"]
        inside += is_inside
        covered += is_inside and k < len(hits) and hits[k][0] < b + end - begin
    assert abs(c["bursts"] - inside) <= edge and abs(c["covered"] - covered) <= edge, (c, inside, covered, edge)
    assert c["recall_by_chance_ratio"] == c["covered"] / c["bursts"]
    assert (p["caution"] is not None) == (c["recall_by_chance_ratio"] >= 0.5), p["caution"]
    shown = (path / "derived/summary.txt").read_text()
    assert f"hit covers {c['covered']} of {c['bursts']} of the same instants" in shown, shown
    assert p["caution"] is None or p["caution"] in shown
    ok(f"{probe}: by chance {c['covered']} of {c['bursts']}, as computed again")


def check_phase(path, probe, one, plan, cpu):
    p, hz = one["phase"], one["tick_hz"]
    slope = (one["after_tick"] - one["before_tick"]) / (one["after_ns"] - one["before_ns"])
    assert math.isclose(slope * 1e9, hz, rel_tol=1e-3), (slope, hz)
    start = one["before_tick"] + (plan["phase_ns"] - one["before_ns"]) * slope - p["lead_ns"] * slope
    period = plan["period_ns"] * slope
    first = start + math.ceil(-start / period) * period
    periods = math.floor((one["span_ticks"] - first) / period)
    count = [0] * p["windows"]
    for begin, _, _ in hits_of(path, probe, one, cpu):
        at = (begin - first) / period
        if 0 <= at < periods:
            count[min(int((at - math.floor(at)) * len(count)), len(count) - 1)] += 1
    # A hit right at a window's edge may round to either side.
    assert p["periods"] == periods and abs(p["hits"] - sum(count)) <= 1, (p, periods, sum(count))
    assert abs(p["injected"] - count[0]) <= 1, (p["injected"], count[0])
    rank = sum(c >= count[0] for c in count) / len(count)
    assert p["injected"] != count[0] or abs(p["p_rank"] - rank) <= 2 / len(count), (p["p_rank"], rank)
    assert p["preferred"] == (p["p_rank"] <= plan["alpha"])
    return p["preferred"]


def check_run(folder, *args):
    path, r = run(folder, *args)
    plan = r["plan"]
    assert [p["probe"] for p in r["probes"]] == ["detour", "fwq"] and r["head"]["result"] == "pass"
    preferred = False
    for p in r["probes"]:
        assert p["result"] == "pass"
        check_found(path, p["probe"], p["injected"], plan["cpu"])
        check_interval(p["probe"], p["injected"]["found"])
        check_chance(path, p["probe"], p, plan)
        b = p["injected"]["bursts"]
        assert b["dropped"] == 0 and b["length"]["min"] >= plan["length_ns"] * 0.999 and b["lateness"]["n"] == b["made"]
        check_phase(path, p["probe"], p["injected"], plan, plan["cpu"])
        assert p["control"]["bursts"] is None and p["control"]["found"] is None
        preferred |= check_phase(path, p["probe"], p["control"], plan, plan["cpu"])
        ok(f"{p['probe']}: phases as computed again; control p {p['control']['phase']['p_rank']:.3g}")
    subprocess.run([BIN, "--quiet", "evidence", "check", path], check=True)
    ok("the run folder checks")
    return preferred


with tempfile.TemporaryDirectory() as d:
    if not LONG:
        check_run(d, "-d", "1s", "--seed", "7")
    elif check_run(d, "-d", "30s", "--seed", "7"):
        assert not check_run(d, "-d", "30s", "--seed", "8"), "hits prefer the injected phase without bursts, twice"
    path, r = run(d, "-d", "300ms", "-l", "100us", "--rate", "200", "--phase", "1ms", "--no-samples")
    assert r["plan"]["period_ns"] == 5000000 and r["plan"]["phase_ns"] == 1000000 and not r["plan"]["phase_drawn"]
    assert not list((path / "samples").iterdir())
    assert all(s["sha256"] is None for p in r["probes"] for s in p["injected"]["facts"]["streams"])
    ok("other bursts, without keeping samples")
print(f"1..{n_ok}")
sys.exit(0)

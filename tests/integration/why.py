#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""why: `--why` on this kernel, in a mount namespace with tracefs of its own.

Known bursts are named after the injector's thread; local-timer interrupts of the measured thread are named; the
table of a run is computed again from what the run folder holds; tracing is as it was before, also after SIGINT and,
by the next run, after SIGKILL."""
import bisect
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BIN, INJECTOR = os.environ["NF_BIN"], sys.argv[1]
TRACING = pathlib.Path("/sys/kernel/tracing")
IRQ_IN, IRQ_OUT, SOFTIRQ_IN, SOFTIRQ_OUT, OUT, SLEEP, IN, NMI, LOST = range(1, 10)
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def skip(name, why):
    if name in re.split("[, ]+", os.environ.get("NF_REQUIRE", "")):
        sys.exit(f"{name} is required here: {why}")
    print(f"ok {n_ok + 1} - {name} # SKIP {name}: {why}\n1..{n_ok + 1}")
    sys.exit(0)


def settings():
    """Every setting of tracing that a program can change, as far as it can be read."""
    names = ["current_tracer", "tracing_on", "trace_clock", "tracing_cpumask", "buffer_size_kb", "tracing_thresh",
             "set_event", "set_event_pid", "trace_options", "buffer_percent", "saved_cmdlines_size"]
    found = {"instances": sorted(p.name for p in (TRACING / "instances").iterdir())}
    for path in [TRACING / n for n in names] + list((TRACING / "events").glob("*/enable")):
        try:
            found[str(path)] = path.read_text()
        except OSError:
            found[str(path)] = None
    return found


def run(folder, *args, code=0):
    done = subprocess.run([BIN, "--json", "--runs", folder, *args], capture_output=True, text=True)
    assert done.returncode == code, (done.returncode, done.stderr)
    record = json.loads(done.stdout)
    path = next(p for p in pathlib.Path(folder).iterdir() if json.loads((p / "record.json").read_text()) == record)
    return path, record, record["body"]["causes"]


def values(path, file, name):
    out = subprocess.run([BIN, "samples", "--stream", name, path / file], capture_output=True, check=True).stdout
    return [int(v) for v in out.split()]


class Events:
    """The events of one CPU, as kept; names undone."""

    def __init__(self, path, causes, cpu):
        ref = {s["stream"]: s for s in causes["streams"]}
        file = ref[f"events.cpu{cpu}.tick"]["file"]
        names = [re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), line)
                 for line in (path / causes["names_file"]).read_text().splitlines()]
        ticks = values(path, file, f"events.cpu{cpu}.tick")
        words = values(path, file, f"events.cpu{cpu}.word")
        assert len(ticks) == len(words) == ref[f"events.cpu{cpu}.tick"]["count"]
        assert ticks == sorted(ticks)
        self.list = [(t, w >> 52, names[w >> 32 & 0xfffff], w & 0xffffffff) for t, w in zip(ticks, words)]
        self.measured = set(causes["measured_threads"])
        self.ns = causes["tick_hz"] * 1e-9

    def segments(self):
        """[begin, end, cause, first, met]: who had the CPU when it was not the measuring thread; met: and it began while
        the measuring thread had it."""
        found, nest, thread, last = [], [], None, None  # thread None: unknown, False: measured
        asleep = False

        def emit(who, begin, end):
            if who and begin is not None and end > begin:
                found.append((begin, end, tuple(who[:3]), bool(who[3]), who[3] == "met"))
                who[3] = False

        def pop(kind, arg):
            for i in range(len(nest) - 1, -1, -1):
                if nest[i][4] == kind and (kind == SOFTIRQ_IN or nest[i][5] == arg):
                    del nest[i:]
                    return

        for tick, kind, name, arg in self.list:
            owner = nest[-1] if nest else thread
            measured = thread is False and not asleep
            if kind == LOST:
                emit(["events_lost", "", None, True], last if last is not None else -2**62, tick)
                nest, thread, asleep = [], None, False
            elif kind == NMI:
                begin = max(tick - int(arg * self.ns), last if last is not None else tick)
                emit(owner, last, begin)
                emit(["nmi", name, None, "met" if measured and not nest else True], begin, tick)
            else:
                if kind in (OUT, SLEEP) and thread is None:
                    thread = False if arg in self.measured else ["thread", name, arg, True]
                    owner = nest[-1] if nest else thread
                emit(owner, last, tick)
                if kind in (IRQ_IN, SOFTIRQ_IN):
                    pop(kind, arg)
                    nest.append(["irq" if kind == IRQ_IN else "softirq", name, None,
                                 "met" if measured and not nest else True, kind, arg])
                elif kind in (IRQ_OUT, SOFTIRQ_OUT):
                    pop(kind - 1, arg)
                elif kind == IN:
                    nest = []
                    thread = False if arg in self.measured else ["thread", name, arg, "met" if measured else True]
                    asleep = asleep and thread is not False
                elif arg in self.measured:
                    asleep = kind == SLEEP
            last = tick
        return found


def attribute(intervals, segments, around_limit):
    """Ticks by cause and the label of each interval, by the rule of docs/METHOD.md."""
    total, labels, i = {}, [], 0
    for begin, length, noise in intervals:
        end, at, before, parts = begin + length, begin, None, {}
        while i < len(segments) and segments[i][1] <= begin:
            i += 1
        k = i

        def surround(left, right, gap):
            lost = ("events_lost", "", None)
            left, right = left if left != lost else None, right if right != lost else None
            if left:
                parts[left][1] += min(around_limit, gap // 2 if right else gap)
            if right:
                parts[right][1] += min(around_limit, gap - gap // 2 if left else gap)

        while k < len(segments) and segments[k][0] < end:
            s = segments[k]
            start, stop = max(s[0], begin), min(s[1], end)
            parts.setdefault(s[2], [0, 0, 0])[0] += stop - start
            surround(before, s[2], start - at)
            before, at = s[2], stop
            k += 1
        if before:
            surround(before, None, end - at)
        left = noise
        for what in (0, 1):
            whole = sum(p[what] for p in parts.values())
            amount, sofar, given = min(whole, left), 0, 0
            for p in parts.values():
                sofar += p[what]
                upto = sofar * amount // whole if whole else 0
                p[2] += upto - given
                given = upto
            left -= amount
        ticks = {c: p[2] for c, p in parts.items()}
        unexplained = ("unexplained", "", None)
        rank = {"thread": 4, "irq": 3, "nmi": 2, "softirq": 1}
        best = max(ticks, key=lambda c: (rank.get(c[0], 0) if ticks[c] >= noise // 10 else 0, ticks[c]),
                   default=unexplained)
        if ("events_lost", "", None) in ticks:
            best = ("events_lost", "", None)
        elif noise - left < noise // 10:
            best = unexplained
        if left:
            ticks[unexplained] = left
        labels.append(best)
        for c, t in ticks.items():
            total[c] = total.get(c, 0) + t
    return total, labels


def check_table(path, record, causes, cpu, intervals):
    """Adds up, and is what the run folder gives. Returns the events and the labels."""
    rows = causes["causes"]
    assert sum(r["total_ticks"] for r in rows) == causes["noise_ticks"] == sum(i[2] for i in intervals)
    assert sum(r["count"] for r in rows) == causes["intervals"] == len(intervals)
    assert all(r["inside_ticks"] <= r["total_ticks"] for r in rows)
    events = Events(path, causes, cpu)
    segments = events.segments()
    total, labels = attribute(intervals, segments, int(causes["around_limit_ns"] * causes["tick_hz"] * 1e-9))
    told = {(r["kind"], r["name"], r["pid"]): r["total_ticks"] for r in rows if r["total_ticks"]}
    again = {k: v for k, v in total.items() if v}
    assert told == again, [(k, told.get(k), again.get(k)) for k in {*told, *again} if told.get(k) != again.get(k)][:5]
    met, met_labelled, k = {}, {}, 0
    for begin, _, cause, _, met_it in segments:
        if not met_it:
            continue
        met[cause] = met.get(cause, 0) + 1
        while k < len(intervals) and intervals[k][0] + intervals[k][1] <= begin:
            k += 1
        if k < len(intervals) and intervals[k][0] <= begin and labels[k] == cause:
            met_labelled[cause] = met_labelled.get(cause, 0) + 1
    for r in rows:
        cause = (r["kind"], r["name"], r["pid"])
        # Events before the first sample and after the last are not counted.
        assert r["met_labelled"] == met_labelled.get(cause, 0) <= r["met"] <= met.get(cause, 0), (r, met_labelled.get(cause))
        assert r["met"] <= r["occurrences"], r
        assert r["count"] == labels.count((r["kind"], r["name"], r["pid"])), r
    return events, labels


def detours(path, record, cpu):
    file = record["facts"]["streams"][0]["file"]
    length = values(path, file, f"detour.cpu{cpu}.length")
    return list(zip(values(path, file, f"detour.cpu{cpu}.start"), length, length))


def check_chrome(path, record, causes):
    """What viewers ask of a trace; spans of a track do not overlap."""
    trace = json.loads((path / "derived/trace.json").read_text())
    events = trace["traceEvents"]
    assert trace["displayTimeUnit"] in ("ms", "ns")
    named = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    last = {}
    for e in events:
        assert isinstance(e["name"], str) and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        if e["ph"] == "M":
            continue
        assert e["ph"] == "X" and e["tid"] in named and e["dur"] > 0 and isinstance(e["ts"], (int, float)), e
        assert e["ts"] >= last.get(e["tid"], -1e18) - 0.0005, e
        last[e["tid"]] = e["ts"] + e["dur"]
    spans = [e for e in events if e["ph"] == "X" and "interruptions" in named[e["tid"]]]
    assert len(spans) + trace["otherData"]["interruptions_left_out"] == causes["intervals"]
    return spans


def quiet_cpu():
    return max(os.sched_getaffinity(0))


def named(events, intervals, labels, wanted, which):
    """Of the events that interrupted the measuring thread itself, and did not lead to another thread's turn: how many,
    and how many intervals around them are labelled so. which(kind, name): is it one?"""
    begins = [i[0] for i in intervals]
    n, hits, running, depth = 0, 0, None, 0
    end = intervals[-1][0] + intervals[-1][1]
    for at, (tick, kind, name, arg) in enumerate(events.list):
        if 0 <= tick < end and running and depth == 0 and which(kind, name):
            k = bisect.bisect_right(begins, tick) - 1
            inside = k >= 0 and tick < begins[k] + intervals[k][1]
            if inside and labels[k][0] == "thread":
                continue
            n += 1
            hits += inside and labels[k][:2] == wanted
        if kind in (IRQ_IN, SOFTIRQ_IN):
            depth += 1
        elif kind in (IRQ_OUT, SOFTIRQ_OUT):
            depth = max(0, depth - 1)
        elif kind == LOST:
            running, depth = None, 0
        elif kind == OUT:
            # The thread that goes on is in the next event.
            depth = 0
            running = arg in events.measured
        elif kind in (SLEEP, IN):
            depth = 0
            running = kind == IN and arg in events.measured
    return n, hits


def cases(tmp):
    cpu = str(quiet_cpu())
    before = settings()
    fifo = ["-c", cpu, "--policy", "fifo", "--priority", "10", "--why"]

    path, record, causes = run(f"{tmp}/plain", "detour", "-d", "1s", "--threshold", "500ns", *fifo)
    intervals = detours(path, record, cpu)
    events, labels = check_table(path, record, causes, cpu, intervals)
    assert causes["trace_clock"] in ("x86-tsc", "mono_raw") and causes["events"] == len(events.list)
    assert causes["events_lost"] == causes["events_dropped"] == 0
    spans = check_chrome(path, record, causes)
    assert len(spans) > 0
    ok("the causes of detours add up to their time, and the run folder gives them again")
    timers = next(r for r in causes["causes"] if r["name"] in ("local_timer", "arch_timer"))
    assert timers["occurrences"] >= 100, timers
    assert timers["inside_intervals"] >= 0.95 * timers["occurrences"], timers
    n, hits = named(events, intervals, labels, ("irq", timers["name"]),
                    lambda kind, name: kind == IRQ_IN and name == timers["name"])
    print(f"# {n} timer interrupts of the measured thread, {hits} detours labelled so")
    assert n >= 50 and hits >= 0.95 * n, (n, hits)
    assert timers["met"] >= n and timers["met_labelled"] >= hits, timers
    ok("local-timer interrupts lie in detours that are named after them")
    for row in causes["causes"]:
        assert row["kind"] != "unexplained" or (row["name"], row["inside_ticks"], row["occurrences"]) == ("", 0, 0), row
    assert any(r["kind"] == "unexplained" and r["total_ticks"] for r in causes["causes"])
    done = subprocess.run([BIN, "evidence", "check", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    shown = (path / "derived/summary.txt").read_text()
    assert "causes of " in shown and "unexplained" in shown and "all of the noise" in shown, shown
    ok("what no event explains is shown as such; the run is complete")

    injector = subprocess.Popen([INJECTOR, cpu, "10000000", "20000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True)
    ready = injector.stdout.readline()
    if not ready:
        assert injector.wait() == 3
        skip("rt", "no realtime policy for the injector here")
    try:
        path, record, causes = run(f"{tmp}/inject", "detour", "-d", "1500ms", "--threshold", "500ns", *fifo)
    finally:
        injector.communicate()  # its standard input ends, and so does it
    assert injector.returncode == 0
    intervals = detours(path, record, cpu)
    events, labels = check_table(path, record, causes, cpu, intervals)
    tid = int(ready.split()[1])
    # Other threads of that name may run here; the id tells ours.
    row = next(r for r in causes["causes"] if r["pid"] == tid)
    assert row["name"] == "nf-inject" and row["inside_intervals"] >= 0.99 * row["occurrences"] >= 0.99 * 110, row
    n, hits = 0, 0
    begins = [i[0] for i in intervals]
    around = causes["around_limit_ns"] * causes["tick_hz"] * 1e-9
    length = {a[0]: b[0] - a[0] for a, b in zip(events.list[1:], events.list[2:]) if a[1] == IN and a[3] == tid}
    ins = [(tick, arg) for tick, kind, _, arg in events.list if kind == IN]
    for (_, a, _, gone), (tick, b, name, arg) in zip(events.list, events.list[1:]):
        if a == OUT and gone in events.measured and b == IN and arg == tid and 0 <= tick < begins[-1]:
            k = bisect.bisect_right(begins, tick) - 1
            end = begins[k] + intervals[k][1]
            if tick < end and labels[k][0] == "thread" and labels[k][2] != tid and labels[k][2] in \
                    (t for _, t in ins[bisect.bisect_left(ins, (tick, 0)):bisect.bisect_left(ins, (end, 0))]):
                continue  # another thread ran in the same gap, and longer
            if tick < end and intervals[k][2] > 10 * (length.get(tick, 0) + 2 * around):
                continue  # less than a tenth of what the gap took: by the rule it is not named after the burst
            n += 1
            hits += tick < end and labels[k] == ("thread", "nf-inject", tid)
    print(f"# {row['occurrences']} bursts, {n} of them in the measured thread, {hits} named")
    assert n >= 100 and hits >= 0.99 * n, (n, hits)
    assert row["met"] >= n and row["met_labelled"] >= hits, row
    ok("injected bursts are named after the injector's thread")
    assert settings() == before
    ok("tracing is as it was")

    path, record, causes = run(f"{tmp}/fwq", "fwq", "-n", "10000", "--quantum", "50us", *fifo)
    quanta = values(path, record["facts"]["streams"][0]["file"], f"fwq.cpu{cpu}")
    least, at, intervals = min(quanta), 0, []
    for q in quanta:
        if q > least:
            intervals.append((at, q, q - least))
        at += q
    check_table(path, record, causes, cpu, intervals)
    check_chrome(path, record, causes)
    ok("the causes of fixed work add up to what it lost")
    path, record, causes = run(f"{tmp}/numa", "numa", "-r", "200", "--why")
    assert sum(r["total_ticks"] for r in causes["causes"]) == causes["noise_ticks"]
    file = record["facts"]["streams"][0]["file"]
    over = 0
    for variant in ("serial", "parallel", "limit"):
        times = values(path, file, f"numa.{variant}")
        half = record["body"]["read_limit" if variant == "limit" else variant]["median"]
        over += sum(t - int(half) for t in times if t > 1.5 * half)
    assert over == causes["noise_ticks"]
    check_chrome(path, record, causes)
    ok("the causes of collapsed samples add up to what they took beyond the median")

    def interrupted(signo):
        p = subprocess.Popen([BIN, "--runs", f"{tmp}/{signo}", "detour", "-d", "60s", *fifo], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        for _ in range(200):
            time.sleep(0.02)
            if (TRACING / f"instances/nf-{p.pid}/tracing_on").exists():
                break
        time.sleep(1.5)  # warm-up, then some measuring
        assert f"nf-{p.pid}" in settings()["instances"]
        p.send_signal(signo)
        return p.wait()

    assert interrupted(signal.SIGINT) == 130
    assert settings() == before
    path, = pathlib.Path(f"{tmp}/{signal.SIGINT}").iterdir()
    causes = json.loads((path / "record.json").read_text())["body"]["causes"]
    assert causes["intervals"] > 0
    ok("after SIGINT the causes so far are kept and tracing is as it was")
    assert interrupted(signal.SIGKILL) == -signal.SIGKILL
    assert settings() != before
    left, = set(settings()["instances"]) - set(before["instances"])
    done = subprocess.run([BIN, "--quiet", "--runs", f"{tmp}/next", "fwq", "-n", "50", "--quantum", "200us", "-c", cpu],
                          capture_output=True, text=True)
    said = f"removed the tracing instance {TRACING}/instances/{left} that process {left[3:]} left"
    assert done.returncode == 0 and said in done.stderr, done
    assert settings() == before
    ok("what a killed run left tracing is ended by the next run")


def unsupported(tmp):
    """With tracefs mounted nowhere: one line, exit 3, no folder."""
    for line in reversed(pathlib.Path("/proc/mounts").read_text().splitlines()):
        if line.split()[2] == "tracefs":
            subprocess.run(["umount", line.split()[1]], check=True)
    for command in (["detour", "-d", "1s"], ["fwq", "-n", "10"], ["numa", "-r", "3"]):
        done = subprocess.run([BIN, "--runs", f"{tmp}/none", *command, "--why"], capture_output=True, text=True)
        assert done.returncode == 3 and done.stdout == "" and done.stderr.count("\n") == 1, done
        assert "mount -t tracefs tracefs /sys/kernel/tracing" in done.stderr, done.stderr
        assert not os.path.exists(f"{tmp}/none") or not os.listdir(f"{tmp}/none")
    ok("without tracefs it is refused before measuring, with what would help")


if "inside" not in sys.argv:
    if os.geteuid() != 0:
        skip("why-root", "trace events need root")
    if not shutil.which("unshare"):
        skip("unshare", "unshare(1) is not installed")
    sys.exit(subprocess.run(["unshare", "-m", sys.executable, __file__, INJECTOR, "inside"]).returncode)
if subprocess.run(["mount", "-t", "tracefs", "tracefs", TRACING], capture_output=True).returncode or \
        not (TRACING / "events/sched/sched_switch").exists():
    skip("tracefs", "tracefs with trace events cannot be mounted here")
with tempfile.TemporaryDirectory() as tmp:
    cases(tmp)
    unsupported(tmp)
print(f"1..{n_ok}")

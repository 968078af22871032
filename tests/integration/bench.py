#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench: `bench run` and `bench compare` of real commands.

A command with a fifth more work must be REGRESSED, a command against itself must not, a crash is FAILED; every figure
of a comparison is computed again from the raw values. With NF_LONG=1 also fifty repeats of known answers (NF_REPEATS: another
number), of a benchmark program and of a command; `bench.py SPIN BLOCK...` runs some of those blocks alone. What they
find depends on what else the machine does: they print the scatter of the sets and judge by it."""
import collections
import hashlib
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
SPIN = pathlib.Path(sys.argv[1]).resolve()
LONG = os.environ.get("NF_LONG") == "1"
REPEATS = int(os.environ.get("NF_REPEATS", "50"))
n_ok = 0


def ok(what):
    global n_ok
    n_ok += 1
    print(f"ok {n_ok} - {what}", flush=True)


def bench(folder, *args, code=None):
    done = subprocess.run([BIN, "--json", "--runs", folder, "bench", *args], capture_output=True, text=True, timeout=300)
    assert code is None or done.returncode == code, (args, done.returncode, done.stderr, done.stdout[-400:])
    record = json.loads(done.stdout) if done.stdout else None
    return done.returncode, record, done.stderr


def calibrate(ms):
    """Work of about so many milliseconds."""
    n = 1_000_000
    best = math.inf
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([SPIN, str(n)], check=True)
        best = min(best, time.perf_counter() - begin)
    return max(n, int(n * ms / 1000 / best))


def spin(work, factor=1.0):
    return f"{SPIN} {int(work * factor)}"


def verdict(record):
    assert len(record["comparisons"]) == 1
    return record["comparisons"][0]["verdict"]


def check_figures(record):
    """From the raw values: medians of sets, global median, ratio by Hodges and Lehmann."""
    iters = record["plan"]["iterations"]
    for i, v in enumerate(record["variants"]):
        values = [x for s in record["sets"] if s["variant"] == i for x in s["values"]]
        assert math.isclose(v["summary"]["median"], statistics.median(values), rel_tol=1e-12)
        assert v["summary"]["n"] == len(values) == iters * v["sets"]
        medians = [statistics.median(s["values"]) for s in record["sets"] if s["variant"] == i]
        assert math.isclose(v["median_of_set_medians"], statistics.median(medians), rel_tol=1e-12)
        assert math.isclose(v["set_cv_ratio"], statistics.stdev(medians) / statistics.mean(medians), rel_tol=1e-9)
    for c in record.get("comparisons", []):
        pair = {}
        for s in record["sets"]:
            if s["discarded"] is None and s["variant"] in (c["old_variant"], c["new_variant"]):
                pair.setdefault(s["row"], {})[s["variant"]] = math.log(s["median"])
        d = [p[c["new_variant"]] - p[c["old_variant"]] for p in pair.values()]
        assert len(d) == c["pairs"]
        walsh = [(d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d))]
        assert math.isclose(c["ratio"], math.exp(statistics.median(walsh)), rel_tol=1e-9)
        assert math.isclose(c["sd_ln"], statistics.stdev(d), rel_tol=1e-9)
        for way in "slower", "faster":
            assert c[f"p_{way}"] == min(1, 2 * min(c[f"p_{way}_pairs"], c[f"p_{way}_ranks"]))


def refusals(folder):
    """Each with one line that says what is wrong, and its exit code."""
    with tempfile.TemporaryDirectory() as own:
        base, other = f"{own}/base.json", f"{own}/other.json"
        bench(folder, "regress", "--save-baseline", base, "--sessions", "2", "--sets", "2", "--", "true", code=0)
        stored = json.loads(pathlib.Path(base).read_text())
        for s in stored["sessions"]:
            s["machine"]["cpu_model"] = "Abacus"
        stored["sessions"] *= 2
        pathlib.Path(other).write_text(json.dumps(stored))
        table = [
            ("unknown benchmark", ["run", "--filter", "^no.such$"], 2, "finds none of"),
            ("command not found", ["run", "--", "nf-no-such-command"], 2, "command not found: 'nf-no-such-command'"),
            ("command not found", ["compare", "true", "nf-no-such-command"], 2, "command not found"),
            ("exit status", ["run", "--sets", "2", "--", "false"], 5, "FAILED   exit status 1"),
            ("exit status", ["compare", "true", "false"], 5, "FAILED    new: exit status 1"),
            ("no JSON", ["run", "--sets", "2", "--report", "lines", "--", "echo", "nonsense"], 5, "FAILED   "),
            ("baseline of another machine", ["regress", "--baseline", other, "--", "true"], 3, "of another machine"),
            ("K < 3", ["regress", "--any-machine", "--baseline", base, "--", "true"], 3, "2 sessions of 'true'; 3 or more would do"),
            ("no baseline", ["regress", "--baseline", f"{own}/none.json", "--", "true"], 2, "No such file"),
            ("test cannot fire", ["compare", "--max-time", "5s", "sleep 1", "sleep 1"], 3, "nothing can be found"),
        ]
        for what, args, code, line in table:
            done = subprocess.run([BIN, "--runs", folder, "bench", *args], capture_output=True, text=True, timeout=60)
            assert done.returncode == code, (what, args, done.returncode, done.stderr)
            lines = [x for x in (done.stdout + done.stderr).splitlines() if line in x]
            assert len(lines) == 1 and len(done.stderr.replace("\n  ", " ").splitlines()) == 1, (what, done.stdout, done.stderr)
    ok(f"{len(table)} ways to go wrong, each with its line and exit code")


def wait_until(holds, what):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def killed(folder):
    """A baseline is whole at any time: killed at random, by several who add to it at once."""
    with tempfile.TemporaryDirectory() as own:
        base = f"{own}/base.json"
        args = [BIN, "--quiet", "--runs", folder, "bench", "regress", "--save-baseline", base, "--sessions", "100", "--sets", "1"]
        before = 0
        for i in range(4):
            crew = [subprocess.Popen([*args, "--", "true"], stderr=subprocess.DEVNULL) for _ in range(2)]
            wait_until(lambda: os.path.exists(base), "no baseline")
            time.sleep(0.3 + 0.037 * i)
            for p in crew:
                p.kill()
                p.wait()
            subprocess.run([BIN, "evidence", "check", base], check=True, stdout=subprocess.DEVNULL)
            n = len(json.loads(pathlib.Path(base).read_text())["sessions"])
            assert n >= before
            before = n
        assert before > 0
        for path in pathlib.Path(folder).glob("*-bench_regress*"):
            if not (path / "MANIFEST").exists():
                shutil.rmtree(path)  # of those that were killed
    ok(f"a baseline that two add to is whole whenever they are killed: {before} sessions")


def quick(folder):
    work = calibrate(10)
    for sets in "20", "150", "600":  # what a busy machine leaves undecided is asked again, with more sets
        code, record, said = bench(folder, "compare", "--sets", sets, spin(work), spin(work, 1.2))
        if verdict(record) != "inconclusive":
            break
    assert verdict(record) == "regressed" and code == 1, (code, record["comparisons"])
    assert "sets of 1 value each: about" in said, said
    check_figures(record)
    ok("a fifth more work is a regression, exit 1, and its figures follow from the raw values")

    code, record, _ = bench(folder, "compare", spin(work), spin(work), "--null")
    assert record["comparisons"][0]["verdict"] in ("same", "inconclusive"), record["comparisons"]
    assert code == (0 if record["comparisons"][0]["verdict"] == "same" else 3)
    assert record["comparisons"][1]["is_null"]
    ok("a command against itself has not changed")

    _, record, _ = bench(folder, "compare", spin(work), "sh -c 'kill -SEGV $$'", code=5)
    assert verdict(record) == "failed" and "SIGSEGV" in record["comparisons"][0]["failure"]
    ok("a crash is FAILED, exit 5")

    _, record, _ = bench(folder, "run", "--sets", "7", "--", str(SPIN), str(work), code=0)
    check_figures(record)
    assert [len(s["values"]) for s in record["sets"]] == [1] * 7
    assert all(s["wait_status"] == [0] and len(s["user_ns"]) == 1 for s in record["sets"])
    ok("bench run keeps each value with its set")

    _, record, _ = bench(folder, "run", "--sets", "45", "--shell", f": ; {SPIN} 1000", code=0)
    alone = [s["shell_ns"] for s in record["sets"]]
    assert [x is not None for x in alone] == [i % 3 == 0 for i in range(45)], alone
    alone = [x for x in alone if x is not None]
    v, = record["variants"]
    assert v["shell_ns"] == statistics.median(alone) and v["summary"]["median"] > 0
    assert min(alone) < v["summary"]["max"]
    ok("a shell alone is timed beside the sets of a command that has one, and nothing is taken off")

    two = "for i in 1 2; do dd if=/dev/zero of=/dev/null bs=50M count=60 & done; wait"
    _, record, _ = bench(folder, "run", "--sets", "2", "--shell", two, code=0)
    v, = record["variants"]
    assert v["tree_peak_method"] in ("cgroup", "pss", "rss") and v["peak"]["max"] < 70 << 20
    assert 98 << 20 < v["tree_peak_bytes"] < 150 << 20, v["tree_peak_bytes"]
    ok(f"two processes of 50 MiB each are {v['tree_peak_bytes'] / (1 << 20):.0f} MiB together ({v['tree_peak_method']})")

    _, record, _ = bench(folder, "run", "--filter", "^clock.monotonic$", "--sets", "3", "--iters", "4", code=0)
    check_figures(record)
    assert [len(s["values"]) for s in record["sets"]] == [4] * 3
    assert all(s["operations"] > 1 and s["warm_up"] is not None for s in record["sets"])
    ok("so it does of a built-in benchmark")

    kept = record
    before = set(pathlib.Path(folder).iterdir())
    begin = time.monotonic()
    _, _, said = bench(folder, "compare", "--max-time", "1s", "sleep 0.4", "sleep 0.4", code=3)
    assert "nothing can be found" in said and "would do" in said and time.monotonic() - begin < 60  # not what ten sets take
    assert set(pathlib.Path(folder).iterdir()) == before
    ok("a time in which nothing can be found is refused with what would do, exit 3, without a folder")

    begin = time.monotonic()
    _, record, said = bench(folder, "compare", "--max-time", "3s", "sleep 0.1", "sleep 0.1")
    took = time.monotonic() - begin
    assert ": about " in said and record["plan"]["sets"] < record["plan"]["sets_asked"], (said, took)
    ok(f"as many sets as fit --max-time 3s are made of two commands: {record['plan']['sets']}, in {took:.1f} s")

    refusals(folder)
    killed(folder)

    for path in pathlib.Path(folder).iterdir():
        subprocess.run([BIN, "evidence", "check", path], check=True, stdout=subprocess.DEVNULL)
    path = next(p for p in pathlib.Path(folder).iterdir() if json.loads((p / "record.json").read_text()) == kept)
    kept["variants"][0]["summary"]["median"] *= 1.001
    before = hashlib.sha256((path / "record.json").read_bytes()).hexdigest()
    (path / "record.json").write_text(json.dumps(kept))
    manifest = (path / "MANIFEST").read_text()
    after = hashlib.sha256((path / "record.json").read_bytes()).hexdigest()
    assert before in manifest
    (path / "MANIFEST").write_text(manifest.replace(before, after))
    done = subprocess.run([BIN, "evidence", "check", path], capture_output=True, text=True)
    assert done.returncode == 1 and "summary.median" in done.stdout, (done.returncode, done.stdout)
    ok("every run folder holds, and a figure that does not follow from the values is found")


# --- fifty times: `bench.py SPIN BLOCK...` runs these blocks alone ---


def sides(kind, work):
    """What makes compare run work against `factor` times as much, as a benchmark program or as a command."""
    if kind == "program":
        program = {f: f"{SPIN.parent}/bench_steps_{1000 * f:.0f}" for f in (1, 1.05, 1.2)}
        return lambda f: ["--filter", "^steps$", "--old-program", program[1], "--new-program", program[f]]
    return lambda f: [spin(work), spin(work, f)]


def repeated(folder, kind, what, operands):
    """Verdicts with what they rest on; prints them, so that a failure shows numbers."""
    found = []
    begin = time.monotonic()
    for i in range(REPEATS):
        code, record, _ = bench(folder, "compare", "--seed", str(i), *operands)
        c = record["comparisons"][0]
        assert code == {"same": 0, "improved": 0, "regressed": 1, "inconclusive": 3, "failed": 5}[c["verdict"]], (code, c)
        found.append(c)
        shutil.rmtree(folder)  # a run folder each: not kept
        os.mkdir(folder)
    count = collections.Counter(c["verdict"] for c in found)
    assert not count["failed"], (kind, what, count, [c["failure"] for c in found if c["verdict"] == "failed"])
    cvs = sorted(100 * c["set_cv_ratio"] for c in found)
    mde = sorted(100 * c["mde_ratio"] for c in found)
    print(f"# {kind} {what}: {dict(count)}; set CV {cvs[0]:.2f} to {cvs[-1]:.2f} %, median {statistics.median(cvs):.2f} %, "
          f"{sum(cv < 0.5 for cv in cvs)} under 0.5 %; would find {statistics.median(mde):.1f} %; "
          f"{sum(c['pairs'] > 20 for c in found)} with a second look; {time.monotonic() - begin:.0f} s", flush=True)
    return found, count


def not_wrong(kind, what, count):
    wrong = sum(n for verdict, n in count.items() if verdict not in ("same", "inconclusive"))
    assert wrong * 50 <= 2 * max(REPEATS, 25), (kind, what, count)


class Toggling:
    """A load on every CPU of ours, on for 0.7 s and off for 0.7 s; what it used is checked at the end."""

    def __init__(self):
        self.cpus = sorted(os.sched_getaffinity(0))
        self.begin = time.monotonic()
        self.parent = os.getpid()
        self.spinners = [os.fork() or self.spin(cpu) for cpu in self.cpus]

    def spin(self, cpu):
        os.sched_setaffinity(0, {cpu})
        while os.getppid() == self.parent:
            if (time.monotonic() - self.begin) % 1.4 < 0.7:
                sum(range(20000))
            else:
                time.sleep(0.01)
        os._exit(0)

    def end(self):
        used = 0.0
        for pid in self.spinners:
            os.kill(pid, signal.SIGKILL)
            used += sum(os.wait4(pid, 0)[2][:2])
        share = used / (time.monotonic() - self.begin) / len(self.cpus)
        print(f"# the load took {100 * share:.0f} % of {len(self.cpus)} CPUs", flush=True)
        assert share > 0.1, share


def itself_loaded(folder, kind, operands):
    load = Toggling()
    try:
        _, count = repeated(folder, kind, "itself beside a load that switches", operands(1))
    finally:
        load.end()
    not_wrong(kind, "loaded", count)
    ok(f"{kind}: itself beside a load that switches on and off is not called changed")


def judge_same(kind, what, found):
    """SAME in nine of ten of those that are quiet enough; with few of them there is nothing to judge."""
    quiet = [c for c in found if c["set_cv_ratio"] < 0.005]
    same = sum(c["verdict"] == "same" for c in quiet)
    assert same >= 0.9 * len(quiet), (kind, what, same, len(quiet))
    if 2 * len(quiet) < REPEATS:
        ok(f"{kind}: {what}: SAME # SKIP quiet-sets: {len(quiet)} of {REPEATS} had a set CV under 0.5 %")
    else:
        ok(f"{kind}: {what} is SAME in {same} of the {len(quiet)} of {REPEATS} whose set CV is under 0.5 %")


def itself(folder, kind, operands):
    found, count = repeated(folder, kind, "itself", operands(1))
    not_wrong(kind, "itself", count)
    judge_same(kind, "itself", found)


def waits(folder, kind, operands):
    """A command whose time is a timer's: where work scatters by more than the limit, this does not."""
    del operands
    found, count = repeated(folder, kind, "itself, waiting", ["sleep 0.1", "sleep 0.1"])
    not_wrong(kind, "waiting", count)
    judge_same(kind, "one that waits", found)


def slower(folder, kind, operands, factor, least):
    percent = f"{100 * (factor - 1):.0f} %"
    found, count = repeated(folder, kind, percent + " more work", operands(factor))
    seen = count["regressed"]
    assert count["improved"] == 0, count
    # A command's whole process is disturbed more than a median of ten: what the scatter of its pairs hides (three standard
    # errors reach over the slowdown) is neither found nor missed. Programs are held to all.
    judged = found
    if kind == "command":
        judged = [c for c in found if 3 * c["sd_ln"] / math.sqrt(c["pairs"]) < math.log(factor)]
    hit = sum(c["verdict"] == "regressed" for c in judged)
    assert hit >= least * len(judged), (kind, percent, count, len(judged))
    if 2 * len(judged) < REPEATS:
        ok(f"{kind}: {percent} more work # SKIP quiet-sets: the scatter of {REPEATS - len(judged)} of {REPEATS} hides it")
        return
    ok(f"{kind}: {percent} more work is REGRESSED in {seen} of {REPEATS}, exit 1; in {hit} of the {len(judged)} whose scatter lets it be seen")


def crash(folder, kind, operands):
    if kind == "program":
        args = ["--filter", "^crash$", *operands(1)[2:]]
    else:
        args = [operands(1)[0], "sh -c 'kill -SEGV $$'"]
    for i in range(REPEATS):
        _, record, _ = bench(folder, "compare", "--seed", str(i), *args, code=5)
        assert verdict(record) == "failed" and "SIGSEGV" in record["comparisons"][0]["failure"]
    ok(f"{kind}: one that crashes is FAILED, exit 5")


BLOCKS = {
    "itself-loaded": itself_loaded,
    "itself": itself,
    "waits": waits,
    "slower-5": lambda folder, kind, operands: slower(folder, kind, operands, 1.05, 0.8),
    "slower-20": lambda folder, kind, operands: slower(folder, kind, operands, 1.2, 1),
    "crash": crash,
}


def long(folder, blocks):
    work = calibrate(10)
    for kind in "program", "command":
        for name, block in BLOCKS.items():
            if (not blocks or {name, f"{kind}:{name}"} & set(blocks)) and (block is not waits or kind == "command"):
                path = os.path.join(folder, f"{kind}-{name}")
                os.mkdir(path)
                block(path, kind, sides(kind, work))


asked = sys.argv[2:]
unknown = [a for a in asked if a.partition(":")[2] not in BLOCKS and a not in BLOCKS]
if unknown:
    sys.exit(f"bench.py: no block {unknown[0]}; allowed: {', '.join(BLOCKS)}, alone or behind program: or command:")
with tempfile.TemporaryDirectory() as tmp:
    if not asked:
        quick(tmp)
if LONG or asked:
    with tempfile.TemporaryDirectory() as tmp:
        long(tmp, asked)
print(f"1..{n_ok}")

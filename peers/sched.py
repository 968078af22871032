# SPDX-License-Identifier: MIT
"""The actor runtime beside tokio, Go, Erlang, Boost.Fiber and threads: the scheduler suite's benchmarks, the same in each
(peers/sched/). Every round runs all programs, forwards and backwards in turn; a program warms each benchmark up once and
times it three times. What is compared is a peer's time over ours, round by round. The claims are against tokio's multi-thread
runtime, and against our own figures of the same round where the table says so; the others are shown.

NF_PEERS_ROUNDS says how many rounds (11), NF_PEERS_TABLE names a file that gets the table in Markdown."""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

import peerlib

HERE = pathlib.Path(__file__).resolve().parent / "sched"
ROUNDS = int(os.environ.get("NF_PEERS_ROUNDS", "11"))
REGISTRY = "/usr/share/cargo/registry"
TIMEOUT_S = 120

# Operations of one timing: some milliseconds for ours, the same for all that can.
OPS = {"chained_spawn": 30000, "yield_many": 100000, "fan_out_fan_in": 20000, "spawn_pair_control": 10000,
       "ping_pong_oneshot": 10000, "ping_pong_steady": 50000, "compute_parallel": 5000, "mutex_contended": 100000,
       "blocking_io": 40, "many_timers": 10000, "spawn_storm_busy": 30000, "catch_panics": 2000,
       "yield_in_hot_loop": 200000, "uncontended_channel": 200000, "overflow": 1000, "pair_apart": 10000}
SUITE = [name for name in OPS if name not in ("overflow", "pair_apart")]
# What two workers are asked: the rest of the suite has one task at a time, or no claim.
TWO = ["ping_pong_steady", "spawn_storm_busy", "fan_out_fan_in", "compute_parallel", "mutex_contended",
       "blocking_io"]
NOT_OF = {"erlang": ["mutex_contended", "blocking_io"], "threads": ["catch_panics"], "boost2": ["fan_out_fan_in"]}
SLOWER_BY = {"threads": 20, "boost2": 20, "erlang": 4}

# (row, ours, theirs, must, stretch): theirs over ours at least.
FASTER = [
    ("ping_pong_steady, 1 worker", "actors1", "ping_pong_steady", "tokio1", 4, 12),
    ("ping_pong_oneshot", "actors1", "ping_pong_oneshot", "tokio1", 3.5, 10),
    ("spawn_pair_control", "actors1", "spawn_pair_control", "tokio1", 3.5, 10),
    ("spawn_storm_busy, 1 worker", "actors1", "spawn_storm_busy", "tokio1", 3, 8),
    ("spawn_storm_busy, 2 workers", "actors2", "spawn_storm_busy", "tokio2", 1, 8),
    ("many_timers, CPU time", "actors1", "many_timers", "tokio0", 1.2, 2),
    ("yield_in_hot_loop", "actors1", "yield_in_hot_loop", "tokio1", 5, 18),
    ("uncontended_channel", "actors1", "uncontended_channel", "tokio1", 4, 9),
    ("catch_panics", "actors1", "catch_panics", "tokio1", 20, 80),
]
BY_CPU_TIME = {"many_timers"}


def need(program, package):
    if not shutil.which(program):
        raise peerlib.NotHere(f"{program} is missing: install {package}")


def build(folder):
    """Builds the peers into folder/peers/sched; only what changed is built anew."""
    need("/usr/bin/cargo", "cargo")
    need("go", "golang-go")
    need("erlc", "erlang-base")
    if not pathlib.Path(REGISTRY).is_dir():
        raise peerlib.NotHere(f"{REGISTRY} is missing: install librust-tokio-dev")
    out = pathlib.Path(folder, "peers", "sched").resolve()
    out.mkdir(parents=True, exist_ok=True)
    crate = out / "tokio"
    shutil.copytree(HERE / "tokio", crate, dirs_exist_ok=True)  # cargo writes beside its manifest
    env = dict(os.environ, GO111MODULE="off", GOFLAGS="", GOCACHE=str(out / "gocache"), RUSTC="/usr/bin/rustc",
               CARGO_HOME=str(out / "cargo"))
    source = ["--config", 'source.crates-io.replace-with="debian"', "--config",
              f'source.debian.directory="{REGISTRY}"']
    for where, cmd in [
        (crate, ["/usr/bin/cargo", "build", "--quiet", "--release", "--offline", "--target-dir", "target", *source]),
        (HERE / "go", ["go", "build", "-o", out / "go_peer", "main.go"]),
        (HERE / "erlang", ["erlc", "-o", out, "sched_peer.erl"]),
        (HERE / "boost", ["g++", "-O2", "-o", out / "boost_peer", "peer.cc", "-lboost_fiber", "-lboost_context",
                          "-lpthread"]),
    ]:
        done = subprocess.run(cmd, cwd=where, env=env, capture_output=True, text=True)
        if done.returncode:
            raise peerlib.NotHere(f"{cmd[0]} cannot build {where.name} (tools/packages-peers.txt): "
                                  f"{done.stderr.strip()[-300:]}")
    return out


def programs(folder, out):
    driver = pathlib.Path(folder, "peers", "sched_driver").resolve()
    tokio = out / "tokio" / "target" / "release" / "tokio_peer"
    erl = ["erl", "-noshell", "-pa", out]
    threads = len(os.sched_getaffinity(0))
    return {
        "actors1": ([driver, "actors", "1"], SUITE + ["overflow"]),
        "tokio1": ([tokio, "1"], SUITE),
        "tokio0": ([tokio, "0"], ["many_timers"]),
        "go": ([out / "go_peer", "1"], SUITE),
        "erlang": ([*erl, "+S", "1:1", "-run", "sched_peer", "main"], SUITE),
        "boost": ([out / "boost_peer", "1"], SUITE),
        "threads": ([driver, "threads", str(threads)], SUITE),
        "actors2": ([driver, "actors", "2"], TWO + ["pair_apart"]),
        "tokio2": ([tokio, "2"], TWO),
        "go2": ([out / "go_peer", "2"], TWO),
        "erlang2": ([*erl, "+S", "2:2", "-run", "sched_peer", "main"], TWO),
        "boost2": ([out / "boost_peer", "2"], TWO),
    }


def operations(program, name):
    # Whole rounds of the suite's 1,000 or 10,000 at a time.
    step = {"spawn_storm_busy": 10000, "many_timers": 10000, "blocking_io": 40}.get(name, 1000)
    return max(step, OPS[name] // SLOWER_BY.get(program, 1) // step * step)


def run(program, cmd, names):
    """{name: ns an operation}; the median of three timings after a warm-up."""
    left_out = NOT_OF.get(program, []) + NOT_OF.get(program.rstrip("2"), [])
    args = [f"{n}={operations(program, n)}" for n in names if n not in left_out]
    done = subprocess.run([*map(str, cmd), *args], capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode:
        raise RuntimeError(f"{program} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    got, timings = {}, {}
    for line in done.stdout.splitlines():
        if line.startswith("# "):
            _, fact, value = line.split()
            got["#" + fact] = value  # of the last row
            continue
        name, wall, cpu, n = line.split()
        timings.setdefault(name, []).append(int(cpu if name in BY_CPU_TIME else wall) / int(n))
    got.update((name, statistics.median(t[1:])) for name, t in timings.items())
    if len(timings) != len(args):
        raise RuntimeError(f"{program} has not told all of {args}")
    return got


def measure(folder, out):
    """One dict of programs a round."""
    all_of = programs(folder, out)
    if len(os.sched_getaffinity(0)) < 2:
        raise peerlib.NotHere("one allowed CPU: two workers need two")
    rounds = []
    for i in range(ROUNDS):
        order = list(all_of) if i % 2 == 0 else list(reversed(all_of))
        rounds.append({p: run(p, *all_of[p]) for p in order})
        if sys.stdout.isatty():
            print(f"\r  round {i + 1} of {ROUNDS} ", end="\n" if i + 1 == ROUNDS else "", flush=True)
    return rounds


def median(rounds, program, name):
    return statistics.median(r[program][name] for r in rounds)


def level(pairs, at_least, limit):
    """yes, no, or open: the estimate keeps it; the whole interval misses it; neither."""
    est, lo, hi = peerlib.ratio(pairs)
    if (est >= limit) if at_least else (est <= limit):
        return "yes"
    return "no" if (hi < limit if at_least else lo > limit) else "open"


def claims(rounds):
    """(row, our ns, their ns, pairs, whether the ratio is to be large, must, stretch, its unit)"""
    for row, ours, name, peer, must, stretch in FASTER:
        yield (row, median(rounds, ours, name), median(rounds, peer, name),
               [(r[peer][name], r[ours][name]) for r in rounds], True, must, stretch)
    name = "ping_pong_steady"
    yield ("ping_pong_steady, 2 workers / own 1", median(rounds, "actors2", name), median(rounds, "actors1", name),
           [(r["actors2"][name], r["actors1"][name]) for r in rounds], False, 1.3, 1.1)
    line = [(float(r["actors2"]["#cache_line_fast_ns"]) + float(r["actors2"]["#cache_line_slow_ns"])) / 2
            for r in rounds]
    apart = [r["actors2"]["pair_apart"] for r in rounds]
    yield ("pair forced apart / cache line there and back", statistics.median(apart), statistics.median(line),
           list(zip(apart, line)), False, 6, 4)
    over = [r["actors1"]["overflow"] for r in rounds]
    yield ("stack overflow isolated, in us", statistics.median(over), 1000.0, [(x, 1000.0) for x in over], False, 3, 3)


def ns(x):
    return f"{x:.1f}" if x < 100 else f"{x:.0f}"


def claims_table(rounds):
    lines = ["| row | ours, ns | against, ns | ratio (95 % interval) | must | met | stretch | met |",
             "| --- | ---: | ---: | --- | --- | --- | --- | --- |"]
    worst = "yes"
    for row, ours, theirs, pairs, at_least, must, stretch in claims(rounds):
        est, lo, hi = peerlib.ratio(pairs)
        met = level(pairs, at_least, must)
        if met == "no" or (met == "open" and worst == "yes"):
            worst = met
        sign = ">=" if at_least else "<="
        lines.append(f"| {row} | {ns(ours)} | {ns(theirs)} | {est:.2f} ({lo:.2f} to {hi:.2f}) | {sign} {must} | {met} | "
                     f"{sign} {stretch} | {level(pairs, at_least, stretch)} |")
    return lines, {"yes": 0, "no": 1, "open": 3}[worst]


def peers_table(rounds, names, ours, peers, title):
    lines = [title, "", f"| benchmark | ours, ns | {' | '.join(peers.values())} |",
             "| --- | ---: |" + " ---: |" * len(peers)]
    for name in names:
        mine = median(rounds, ours, name)
        cells = []
        for p in peers:
            if name not in rounds[0][p]:
                cells.append("-")
                continue
            est, _, _ = peerlib.ratio([(r[p][name], r[ours][name]) for r in rounds], rounds=1)
            cells.append(f"{ns(median(rounds, p, name))} ({est:.2f}x)")
        lines.append(f"| {name} | {ns(mine)} | {' | '.join(cells)} |")
    return lines


def main(folder):
    out = build(folder)
    rounds = measure(folder, out)
    lines, code = claims_table(rounds)
    facts = rounds[0]["actors2"]
    lines += ["", f"{len(rounds)} rounds; claims against tokio's multi-thread runtime (many_timers: its current_thread "
              "one, whose timers are cheaper). Calibration of the first round: a cache line there and back "
              f"{facts['#cache_line_fast_ns']} to {facts['#cache_line_slow_ns']} ns, a futex wake "
              f"{facts['#futex_wake_fast_ns']} to {facts['#futex_wake_slow_ns']} ns; the switch is "
              f"{'' if facts['#switch_inlined'] == '1.000' else 'not '}inlined.", ""]
    lines += peers_table(rounds, SUITE, "actors1", {"tokio1": "tokio", "go": "Go", "erlang": "Erlang",
                         "boost": "Boost.Fiber", "threads": "threads"},
                         "One worker each (threads: all CPUs); a peer's ns and how many times ours it is; many_timers in "
                         "CPU time:")
    lines += [""] + peers_table(rounds, TWO, "actors2", {"tokio2": "tokio", "go2": "Go", "erlang2": "Erlang",
                                "boost2": "Boost.Fiber"}, "Two workers each:")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if os.environ.get("NF_PEERS_TABLE"):
        pathlib.Path(os.environ["NF_PEERS_TABLE"]).write_text(text)
    return code


peerlib.main(main)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recompute: every derived figure of fresh runs of `host` and of the probes that are no step of it is computed again from its samples with the command
that docs/METHOD.md gives; a derived figure without a command fails, and so does a command that stands for
none of the known fields."""
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
# Derived texts and verdicts: words, not figures.
WORDS = re.compile(r"\.(result|reason|unit|method|text|name|worst_interruption_source|note|limit|no_spectrum)$")
# Figures that the program has in single precision.
SINGLE = re.compile(r"\.(floor_ratio|chance|share_ratio|with_harmonics_ratio|named_ratio)$")
ROW = re.compile(r"^\| ([\w\[\].]+) \| `(.*)` \|$")


def tables():
    """The three tables of the section: statistics, values of summaries, other figures."""
    found = []
    for line in (SOURCE / "docs/METHOD.md").read_text().split("\n## Recompute")[1].split("\n## ")[0].splitlines():
        if line.startswith("| ---"):
            found.append({})
        m = ROW.match(line)
        if m:
            found[-1][m[1]] = m[2].replace("\\|", "|")
    assert len(found) == 3, len(found)
    return found


def shell(command, env, stdin=None):
    prelude = "median() { " + STATS["median"] + "; }\n"
    done = subprocess.run(["bash", "-c", prelude + command], input=stdin, text=True,
                          capture_output=True, env={**os.environ, **env})
    if done.returncode:
        sys.exit(f"command failed ({done.returncode}): {command}\n{done.stderr}")
    return done.stdout


def close(a, b, rel_tol=1e-9):
    return a == b or math.isclose(a, b, rel_tol=rel_tol, abs_tol=1e-9)


def scalars(node):
    return {k.upper(): str(v) for k, v in node.items() if isinstance(v, (int, float, str)) and not isinstance(v, bool)}


def check_summary(path, summary, command, env):
    values = shell(command, env)
    for key in ("n", "min", "max", "mean", "median", "mad", "sd"):
        if summary[key] is None:
            assert key == "sd" and summary["n"] == 1, (path, key)
            continue
        got = float(shell(STATS[key], {}, values))
        assert close(got, summary[key]), (path, key, got, summary[key])
    for p in summary["percentiles"]:
        got = float(shell(STATS["percentiles[].value"], {"P": str(p["p"])}, values))
        assert close(got, p["value"]), (path, p, got)
        got = int(shell(STATS["percentiles[].n_beyond"], {"VALUE": repr(p["value"])}, values))
        assert got == p["n_beyond"], (path, p, got)
    got = [int(x) for x in shell(STATS["histogram"], {}, values).split()]
    # A value on the edge of two bins may fall on either side in another implementation's logarithm.
    assert sum(got) == summary["n"] and sum(abs(a - b) for a, b in zip(got, summary["histogram"])) <= 2 + summary["n"] // 1000, (
        path, got, summary["histogram"])
    if summary["median_ci_lo"] is not None:
        lo, hi = (float(x) for x in shell(STATS["median_ci"], {}, values).split())
        assert close(lo, summary["median_ci_lo"]) and close(hi, summary["median_ci_hi"]), (path, lo, hi)
    return 8 + 2 * len(summary["percentiles"]) + 2


def walk(node, pattern, env, context):
    """Visits every field; returns how many figures were recomputed."""
    n = 0
    if isinstance(node, dict):
        env = {**env, **scalars(node)}
        if isinstance(node.get("facts"), dict) and "streams" in node["facts"]:
            context = node["facts"]["streams"]
            if context:
                env["FILE"] = context[0]["file"]
        for s in context or []:
            if s["stream"] == node.get("stream"):
                env["TICK_HZ"] = repr(s["tick_hz"])
        if "budget" in node and isinstance(node["budget"], dict):
            env.update(scalars(node["budget"]))
        for key, value in node.items():
            if key == "facts":
                continue
            here = f"{pattern}.{key}" if pattern else key
            if isinstance(value, dict) and "percentiles" in value:
                if here not in VALUES:
                    sys.exit(f"docs/METHOD.md gives no values for the summary {here}")
                USED.add(here)
                n += check_summary(here, value, VALUES[here], env)
            else:
                n += walk(value, here, env, context)
    elif isinstance(node, list):
        for item in node:
            n += walk(item, pattern + "[]", env, context)
    elif node is not None and DERIVED(pattern) and not WORDS.search(pattern):
        if pattern not in OTHERS:
            sys.exit(f"docs/METHOD.md gives no command for the derived figure {pattern} = {node}")
        USED.add(pattern)
        got = shell(OTHERS[pattern], env).strip()
        same = got == str(node).lower() if isinstance(node, bool) else close(
            float(got), float(node), 1e-3 if SINGLE.search(pattern) else 1e-9)
        assert same, (pattern, OTHERS[pattern], got, node)
        n += 1
    return n


def derived_test(record, prefix=""):
    """Is this pattern among honesty.derived, itself or through a parent that is wholly derived?"""
    paths = {prefix + p: basis for basis in ("derived", "measured", "declared", "synthetic")
             for p in record["head"]["honesty"][basis]}

    def is_derived(pattern):
        while pattern:
            if pattern in paths:
                return paths[pattern] == "derived"
            pattern = pattern.rpartition(".")[0] if "." in pattern else ""
        return False

    return is_derived


STATS, VALUES, OTHERS = tables()
USED = set()
os.environ["PATH"] = f"{pathlib.Path(BIN).parent}:{SOURCE}/examples:" + os.environ["PATH"]
# What a probe is run with that is no step of `host`; the table's rows begin with its name.
PROBES = {"detour": ["-d", "1300ms", "--threshold", "20us"],
          "ftq": ["-d", "900ms", "-c", str(min(os.sched_getaffinity(0)))]}


def measure(tmp, argv):
    """The record of a fresh run, and what the commands of the tables find in their environment."""
    done = subprocess.run([BIN, "--runs", tmp, "--json", *argv, "--tag", "recompute"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{argv[0]} ended with {done.returncode}: {done.stderr}")
    run, = pathlib.Path(tmp).iterdir()
    record = json.loads(done.stdout)
    return record, {"RUN": str(run), "CLOCK_HZ": repr(record["head"]["clock"]["hz"]),
                    "CLOCK_STEP_TICKS": repr(record["head"]["clock"]["step_ticks"]),
                    "CLOCK_READ_MIN_NS": repr(record["head"]["clock"]["read_min_ns"])}


for probe, argv in PROBES.items():
    with tempfile.TemporaryDirectory() as tmp:
        record, env = measure(tmp, [probe, *argv])
        DERIVED = derived_test(record, probe + ".")
        n = walk({probe: {k: record[k] for k in ("facts", "body")}}, "", env, None)
        assert n > 10, (probe, n)
        print(f"{probe}: {n} figures recomputed")
with tempfile.TemporaryDirectory() as tmp:
    record, env = measure(tmp, ["host", "--smi-samples", "1", "--smi-duration", "200ms", "--hwlat-duration", "200ms",
                                "--noise-duration", "1200ms", "--wake-duration", "1s", "--numa-samples", "2"])
    DERIVED = derived_test(record)
    body = {k: record[k] for k in ("clock", "smi", "hwlat", "noise", "wake", "numa", "headline") if k in record}
    total = walk(body, "", env, None)
    assert total > 100, total
    # Proof that the comparison can fail: a figure that is off by a millionth is noticed.
    summary = dict(record["noise"]["body"]["workers"][0]["summary"])
    assert not close(summary["mean"], summary["mean"] * (1 + 1e-6))
    names = "".join(p.read_text() for p in (SOURCE / "schema/v1").glob("*.schema.json"))
    for row in [*VALUES, *OTHERS]:
        assert f'"{row.rpartition(".")[2]}"' in names, f"docs/METHOD.md has a row for an unknown field: {row}"
    print(f"{total} figures recomputed from samples; rows not exercised here:",
          sorted(set([*VALUES, *OTHERS]) - USED) or "none")

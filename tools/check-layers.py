#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a file includes a header of a layer it may not see. This table is the architecture
(ARCHITECTURE.md shows it). `--self-test` proves that a forbidden include is found."""
import pathlib
import re
import sys
import tempfile

MAY = {
    "base": "",
    "opt": "base",
    "conf": "base",
    "source": "base",
    "samples": "base",
    "stats": "base samples",
    "prop": "",
    "actor": "base",
    "dhall": "base",
    "machine": "base",
    "measure": "base samples stats machine",
    "board": "base samples conf",
    "bench": "base samples stats machine measure actor conf",
    "record": "base samples stats dhall",
    "store": "base record",
    "remote": "base machine",
    "lane": "base machine remote",
    "report": "base samples stats record store",
    "job": "base opt conf source samples stats actor dhall machine measure board bench record store remote report lane",
    "mpi": "base samples stats machine measure record report job opt",
    "cli": "base opt conf source samples stats prop actor dhall machine measure board bench record store remote report lane job",
}
MAY = {layer: set(may.split()) for layer, may in MAY.items()}
# Each installed header belongs to a layer too; one that is not listed is refused.
PUBLIC = {
    "err.h": "base",
    "histogram.h": "samples",
    "budget.h": "stats",
    "summary.h": "stats",
    "bootstrap.h": "stats",
    "changepoint.h": "stats",
    "compare.h": "stats",
    "dist.h": "stats",
    "location.h": "stats",
    "meantest.h": "stats",
    "multiple.h": "stats",
    "ranktest.h": "stats",
    "schedule.h": "stats",
    "series.h": "stats",
    "stamp.h": "board",
    "stats.h": "stats",
    "prop.h": "prop",
    "actor.h": "actor",
    "bench.h": "bench",
    "region.h": "bench",
}
INCLUDE = re.compile(r'\s*#\s*include\s+["<]([a-z]+)/([^">]+)[">]')


def check(root):
    bad = []
    for f in sorted(root.rglob("*.[ch]")):
        own = f.relative_to(root).parts[0]
        if own not in MAY:
            bad.append(f"{f}:1: '{own}' is not a layer")
            continue
        for n, line in enumerate(f.read_text().splitlines(), 1):
            m = INCLUDE.match(line)
            if not m:
                continue
            if m[1] == "noisefloor":
                to = PUBLIC.get(m[2], "?")
            elif m[1] in MAY:
                to = m[1]
            else:
                continue  # a system header such as sys/mman.h
            if to not in MAY[own] | {own}:
                bad.append(f"{f}:{n}: layer '{own}' may not include {m[1]}/{m[2]} (layer {to})")
    return bad


def self_test():
    with tempfile.TemporaryDirectory() as d:
        root = pathlib.Path(d)
        (root / "stats").mkdir()
        (root / "stats" / "x.c").write_text('#include "base/fail.h"\n#include "record/type.h"\n')
        (root / "base").mkdir()
        (root / "base" / "y.h").write_text('#include <noisefloor/unlisted.h>\n')
        found = check(root)
        assert len(found) == 2 and "x.c:2" in found[1] and "unlisted" in found[0], found


if __name__ == "__main__":
    self_test()
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) if problems else "layers: every include is allowed")
    sys.exit(1 if problems else 0)

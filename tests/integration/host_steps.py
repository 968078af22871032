#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""host_steps: SIGINT, SIGTERM and SIGKILL in every step of `host`, with a load running.

The steps are those that the progress names on a (dumb) terminal. After SIGINT and SIGTERM: 130 and 143, a
committed record that says partial, the step that was cut and the ones that never began; after SIGKILL: a
folder that `evidence check` calls partial. Always: no process left, the machine's posture as before, and
the next run works."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
ARGS = ["host", "--smi-samples", "1", "--smi-duration", "700ms", "--hwlat-duration", "700ms", "--noise-duration", "700ms",
        "--wake-duration", "700ms",
        # A matrix large enough for the numa step to last seconds.
        "--numa-samples", "2", "--channels", "1000", "--samples", "25000", "--under", "exec sleep 987.25"]
VOLATILE = {"uptime_s", "load_1min", "load_5min", "load_15min", "runnable", "mem_available_kib", "steal_ticks", "temperatures"}
n = 0


def ok(what):
    global n
    n += 1
    print(f"ok {n} - {what}", flush=True)


def posture(env):
    done = subprocess.run([BIN, "--json", "posture"], env=env, capture_output=True, text=True, check=True)
    return {k: v for k, v in json.loads(done.stdout)["setup"].items() if k not in VOLATILE}


def load_processes():
    found = []
    for d in pathlib.Path("/proc").iterdir():
        try:
            if d.name.isdigit() and b"987.25" in (d / "cmdline").read_bytes():
                found.append(d.name)
        except OSError:
            pass
    return found


def run_until(step, signo, runs, env):
    """Starts host on a terminal; once `step` begins, waits a moment and sends signo. Returns the exit status
    and the steps that began; status None: the step never began (it cannot run here)."""
    master, slave = pty.openpty()
    p = subprocess.Popen([BIN, "--runs", runs, *ARGS], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=slave, start_new_session=True)
    os.close(slave)
    shown, sent = "", False
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode(errors="replace")
        if not sent and f"{step}: begins" in shown:
            time.sleep(0.1)
            p.send_signal(signo)
            sent = True
    os.close(master)
    return (p.wait(timeout=60) if sent else None), shown


def stopped_by(record, step):
    """The signal that the step's own facts name. smi, hwlat and numa are lists, a record a repetition: the last."""
    own = record[{"fwq": "noise"}.get(step, step)]
    return (own[-1] if isinstance(own, list) else own)["facts"]["stopped_by"]


def one(step, signo, before):
    with tempfile.TemporaryDirectory(prefix="nf-steps-") as tmp:
        env = {**os.environ, "TERM": "dumb", "NOISEFLOOR_RUN_DIR": f"{tmp}/journal"}
        runs = pathlib.Path(tmp) / "runs"
        status, shown = run_until(step, signo, runs, env)
        if status is None:
            return False
        run, = runs.iterdir()
        check = subprocess.run([BIN, "evidence", "check", run], env=env, capture_output=True, text=True)
        name = signal.Signals(signo).name
        if signo == signal.SIGKILL:
            assert status == -signal.SIGKILL, status
            assert not (run / "MANIFEST").exists()
        else:
            assert status == 128 + signo, (status, shown)
            record = json.loads((run / "record.json").read_text())
            head = record["head"]
            assert head["state"] == "partial" and head["result"] in ("partial", "fail"), head["result"]
            order = [s["name"] for s in record["steps"]]
            results = [s["result"] for s in record["steps"]]
            assert stopped_by(record, step) == name, (step, stopped_by(record, step))
            cut = order.index(step)
            assert results[cut] in ("partial", "fail"), (order, results)
            assert set(results[cut + 1:]) <= {"skipped"}, (order, results)
            assert {"clock", "smi", "hwlat", "fwq", "wake", "numa"} == set(order), order
        assert check.returncode == 3, (check.returncode, check.stdout, check.stderr)
        end = time.monotonic() + 60  # the keeper gives the load a second to end
        while load_processes():
            assert time.monotonic() < end, "the load outlived the run"
            time.sleep(0.05)
        assert posture(env) == before, "the machine is not as before"
        assert not [f for f in pathlib.Path(f"{tmp}/journal").glob("*") if f.suffix == ".entry"]
        ok(f"{name} in {step}: {'partial folder' if signo == signal.SIGKILL else 'partial record'}, machine as before")
    return True


def main():
    before = posture(os.environ)
    ran = set()
    for step in ("clock", "smi", "hwlat", "fwq", "wake", "numa"):
        for signo in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if one(step, signo, before):
                ran.add(step)
            else:
                print(f"# SKIP {step}-here: the step cannot run on this host")
                global n
                n += 1
                print(f"ok {n} - {step} # SKIP {step}-here")
                break
    assert {"clock", "fwq", "wake", "numa"} <= ran, ran
    print(f"1..{n}")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sudo_owner: under sudo everything that a run leaves belongs to who called sudo, also after SIGKILL at any time.

sudo is its variables: root with SUDO_UID and SUDO_GID. Needs root."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

BIN = os.environ["NF_BIN"]
UID = GID = 65534
n = 0


def ok(what):
    global n
    n += 1
    print(f"ok {n} - {what}", flush=True)


def strangers(runs):
    """What is not the caller's, of the runs folder and everything in it. What was created in the very moment
    of the kill may still be root's, but nothing has been put into it."""
    found, total = [], 0
    for p in [runs, *runs.rglob("*")]:
        st = p.lstat()
        total += 1
        if (st.st_uid, st.st_gid) != (UID, GID):
            empty = not any(p.iterdir()) if p.is_dir() else st.st_size == 0
            found.append(f"{p.name} {st.st_uid}:{st.st_gid}{' empty' if empty else ''}")
    return found, total


def whole(tmp, env, *words):
    runs = pathlib.Path(tmp) / f"whole-{words[0]}"
    done = subprocess.run([BIN, "--quiet", "--runs", runs, *words], env=env, stdin=subprocess.DEVNULL)
    assert done.returncode in (0, 1), done.returncode
    found, total = strangers(runs)
    assert not found and total > 15, (found, total)
    assert list(runs.glob("*/samples/*.nfsamples")) and list(runs.glob("*/derived/*")) and list(runs.glob("*/captures/*"))
    ok(f"everything of a whole {words[0]} run belongs to the caller: {total} files and folders")


def killed(tmp, env, name, seen, *words):
    """SIGKILL as soon as a file is there that `seen` matches, then one more look after a while longer."""
    for i, later_s in enumerate((0, 0.02, 0.3)):
        runs = pathlib.Path(tmp) / f"killed-{name}-{i}"
        p = subprocess.Popen([BIN, "--quiet", "--runs", runs, *words], env=env, stdin=subprocess.DEVNULL,
                             start_new_session=True)
        until = time.monotonic() + 60
        while not list(runs.glob(seen)) and p.poll() is None:
            assert time.monotonic() < until, f"no {seen}"
            time.sleep(0.0005)
        time.sleep(later_s)
        p.send_signal(signal.SIGKILL)
        p.wait()
        found, total = strangers(runs)
        assert (not found or (len(found) == 1 and found[0].endswith("empty"))) and total > 3, (found, total)
    ok(f"everything of a run that was killed {name} belongs to the caller")


def main():
    if os.geteuid() != 0:
        if "root" in os.environ.get("NF_REQUIRE", "").split(","):
            sys.exit("required but not possible: root")
        print("1..0 # SKIP root: only root gives files away")
        return
    with tempfile.TemporaryDirectory(prefix="nf-sudo-") as tmp:
        env = {**os.environ, "SUDO_UID": str(UID), "SUDO_GID": str(GID), "NOISEFLOOR_RUN_DIR": f"{tmp}/journal"}
        whole(tmp, env, "fwq", "-n", "100", "--quantum", "100us")
        whole(tmp, env, "host", "--smi-samples", "1", "--smi-duration", "20ms", "--hwlat-duration", "20ms",
              "--numa-samples", "1", "--noise-duration", "50ms", "--wake-duration", "50ms")
        killed(tmp, env, "while it measures", "*/captures/proc_softirqs*.txt", "wake", "-d", "10m")
        # Samples enough for their writing to take a while.
        killed(tmp, env, "while it writes samples", "*/samples/fwq.nfsamples", "fwq", "-t", "1", "-n", "8000000", "-w", "10")
    print(f"1..{n}")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A backtrace of an actor shows its frames and ends where it was started, in its work and in a wait."""
import os
import re
import shutil
import subprocess
import sys


def frames(program, *commands):
    args = [x for c in commands for x in ("-ex", c)]
    done = subprocess.run(["gdb", "-nx", "-q", "-batch", "-ex", "set debuginfod enabled off", *args, program],
                          capture_output=True, text=True, timeout=120)
    text = done.stdout + done.stderr
    return re.findall(r"^#\d+ .*?(\w+) \(", text, re.M), text


def main():
    names = "backtrace-in-work", "backtrace-in-a-wait"
    if not shutil.which("gdb"):
        for n, name in enumerate(names, 1):
            if "gdb" in os.environ.get("NF_REQUIRE", "").split(","):
                print(f"not ok {n} - {name}: gdb is required here")
            else:
                print(f"ok {n} - {name} # SKIP gdb: it was not found")
        print("1..2")
        return 0
    bad = 0
    wanted = [["stop_here", "inner", "nf_actor_main", "nf_actor_entry"],
              ["nf_waits_recv_own_body", "nf_waits_call", "inner", "nf_actor_main", "nf_actor_entry"]]
    for n, (name, want) in enumerate(zip(names, wanted), 1):
        got, text = frames(sys.argv[1], f"break {want[0]}", "run", "bt")
        ok = got == want and "Backtrace stopped" not in text
        if not ok:
            print("\n".join("# " + line for line in text.splitlines()))
        print(f"{'ok' if ok else 'not ok'} {n} - {name}")
        bad += not ok
    print("1..2")
    return bad != 0


sys.exit(main())

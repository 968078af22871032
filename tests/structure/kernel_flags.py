#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The flags that the record names are those that the measured kernels were built with."""
import json
import os
import pathlib
import shlex
import sys

NAME = "-DNF_KERNELS_FLAGS="
build = pathlib.Path(os.environ["NF_BUILD"])
found = 0
for entry in json.loads((build / "compile_commands.json").read_text()):
    if not entry["file"].endswith("/kernels_info.c"):
        continue
    args = shlex.split(entry["command"])
    named = [a[len(NAME):].strip('"').split() for a in args if a.startswith(NAME)]
    assert len(named) == 1 and named[0], args
    for flag in named[0]:
        if flag not in args:
            sys.exit(f"{flag} is recorded, but {entry['file']} was not built with it")
    found += 1
assert found == 1, found
print(f"{found} library, every recorded flag in use")

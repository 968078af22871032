#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""syscall_names.py COMPILER...: the system calls of the compiler's target as rows of a C table, by number."""
import re
import subprocess
import sys

text = subprocess.run(sys.argv[1:] + ["-E", "-dM", "-x", "c", "-"], input="#include <sys/syscall.h>\n",
                      capture_output=True, text=True, check=True).stdout
names = sorted(set(re.findall(r"^#define __NR_([a-z0-9_]+)\s", text, re.M)))
print("/* made by syscall_names.py */")
for name in names:
    if name not in ("syscalls", "arch_specific_syscall"):
        print(f'\t[__NR_{name}] = "{name}",')

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disassembles the timed loops under every compiler and level: no call, no push or pop, no operand on
the stack between two clock reads. Also: the objects that measure on CLOCK_MONOTONIC_RAW hold no
instruction that reads the counter. A self-check on kernel_bad.c proves that each fault is found."""
import pathlib
import re
import shutil
import sys
import tempfile

import kernel_builds as kb

HERE = pathlib.Path(__file__).parent
KERNELS = ("nop", "chain", "fma", "daxpy")
COUNTER_READ = {"x86_64": r"rdtscp?\b", "aarch64": r"mrs\s.*cntvct_el0"}
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*?)\s*(?:[#/].*)?$")
FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:")
TARGET = re.compile(r"^(?:\S+,\s*)*([0-9a-f]+) <([^>+]+)(?:\+0x[0-9a-f]+)?>$")


def functions(obj):
    """{name: [(address, mnemonic, operands)]}"""
    out = {}
    current = None
    for line in kb.run(["objdump", "-d", "--no-show-raw-insn", obj]).splitlines():
        f = FUNCTION.match(line)
        if f:
            current = out.setdefault(f[2], [])
            continue
        m = LINE.match(line)
        if m and current is not None:
            current.append((int(m[1], 16), m[2], m[3]))
    return out


def is_jump(mnemonic):
    if kb.arch() == "x86_64":
        return mnemonic.startswith("j")
    return mnemonic in ("b", "cbz", "cbnz", "tbz", "tbnz") or mnemonic.startswith("b.")


def is_exit(mnemonic):
    """Nothing of this function follows it but where it jumps to."""
    return mnemonic.startswith("ret") or mnemonic in ("jmp", "jmpq", "b", "br")


def reached(starts, edges):
    seen, todo = set(), list(starts)
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += edges.get(at, ())
    return seen


def timed_region(code):
    """Instructions on a way round from a read of the counter to a read of it, in the order of code."""
    read = re.compile(COUNTER_READ[kb.arch()])
    reads = [a for a, m, o in code if read.search(f"{m} {o}")]
    here = {a for a, _, _ in code}
    after, before = {}, {}
    for k, (address, mnemonic, operands) in enumerate(code):
        t = TARGET.match(operands) if is_jump(mnemonic) else None
        nexts = [int(t[1], 16)] if t and int(t[1], 16) in here else []
        if k + 1 < len(code) and not is_exit(mnemonic):
            nexts.append(code[k + 1][0])
        after[address] = nexts
        for n in nexts:
            before.setdefault(n, []).append(address)
    again = {r: reached(after[r], after) for r in reads}
    looped = [r for r in reads if r in again[r]]
    region = set().union(*(again[r] for r in looped)) & reached(looped, before)
    return [i for i in code if i[0] in region]


def faults(name, code):
    region = timed_region(code)
    if not region:
        return ["no loop with a read of the counter"]
    # rbp is a register like any other unless the function made it a frame pointer.
    framed = any("%rsp,%rbp" in o or re.match(r"x29, sp", o) for _, m, o in code if m == "mov")
    bad = []
    for address, mnemonic, operands in region:
        text = f"{address:x}: {mnemonic} {operands}"
        target = TARGET.match(operands)
        if mnemonic.startswith("call") or mnemonic in ("bl", "blr"):
            bad.append(f"call: {text}")
        elif is_jump(mnemonic) and (not target or target[2] != name):
            bad.append(f"leaves the function: {text}")
        elif re.match(r"(push|pop)", mnemonic):
            bad.append(f"stack: {text}")
        elif re.search(r"\(%rsp|\[sp", operands):
            bad.append(f"spill: {text}")
        elif framed and re.search(r"\(%rbp|\[x29", operands):
            bad.append(f"spill: {text}")
    return bad


def main():
    tap = kb.Tap()
    if kb.arch() == "none":
        tap.skip("counter", "no counter is read on this architecture")
        return tap.done()
    if not shutil.which("objdump"):
        tap.skip("objdump", "not found")
        return tap.done()
    for name, compiler, level in kb.builds(tap):
        with tempfile.TemporaryDirectory() as d:
            tmp = pathlib.Path(d)
            for source in (*(kb.KERNELS / f"{loop}_{clock}.c" for loop in ("ftq", "fwq", "gap")
                             for clock in ("counter", "monotonic")), HERE / "kernel_bad.c"):
                kb.compile_object(compiler, level, source, tmp / f"{source.stem}.o")
            for loop in ("fwq", "ftq"):
                counter = functions(tmp / f"{loop}_counter.o")
                for k in KERNELS:
                    f = f"nf_{loop}_counter_{k}"
                    bad = faults(f, counter[f])
                    tap(not bad, f"{name}: the {loop} loop of {k} holds no call and no spill", bad)
            gap = functions(tmp / "gap_counter.o")["nf_gap_counter"]
            bad = faults("nf_gap_counter", gap)
            tap(not bad, f"{name}: the gap loop holds no call and no spill", bad)
            for loop in ("ftq", "fwq", "gap"):
                text = kb.run(["objdump", "-d", tmp / f"{loop}_monotonic.o"])
                tap(not re.search(COUNTER_READ[kb.arch()], text) and "clock_gettime" in
                    kb.run(["objdump", "-dr", tmp / f"{loop}_monotonic.o"]),
                    f"{name}: the fallback's {loop} loops do not read the counter")
            wrong = functions(tmp / "kernel_bad.o")
            for kind, expect in (("call", "call: "), ("spill", "spill: ")):
                f = f"nf_fwq_bad_{kind}"
                found = faults(f, wrong[f])
                tap(any(b.startswith(expect) for b in found),
                    f"{name}: a loop with a {kind} is found out", found[:1])
            tap(faults("nf_fwq_monotonic_chain",
                       functions(tmp / "fwq_monotonic.o")["nf_fwq_monotonic_chain"]) != [],
                f"{name}: a loop that reads another clock is not taken for a good one")
    return tap.done()


sys.exit(main())

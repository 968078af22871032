#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Help, man pages, completion and README say the same, because a test compares them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
REQUIRED = os.environ.get("NF_REQUIRE", "").split(",")
results = []


def nf(*args):
    return subprocess.run([BIN, *args], check=True, capture_output=True, text=True).stdout


def case(name):
    def add(fn):
        try:
            why = fn()
            results.append((True, name, why))
        except AssertionError as e:
            results.append((False, name, str(e)))
        return fn
    return add


# Every command that runs, as words: ("wake",), ("evidence", "check"); and the groups of subcommands.
COMMANDS = [tuple(line.split("\t")[0].split()) for line in nf("--print-commands").splitlines()]
GROUPS = sorted({c[:1] for c in COMMANDS if len(c) == 2})
PAGES = COMMANDS + GROUPS
COMPLETION = nf("--print-completion", "bash")


def help_options(text):
    return set(re.findall(r"^  (?:-\w, |    )--([a-z][a-z0-9-]*)", text, re.M))


def man_options(text):
    return {m.replace("\\-", "-") for m in re.findall(r"\\fB\\-\\-((?:[a-z0-9]|\\-)+)\\fR", text)}


def complete(*words):
    """What bash offers for the last of the words."""
    script = COMPLETION + '\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _noisefloor; printf "%s\\n" "${COMPREPLY[@]}"'
    out = subprocess.run(["bash", "-c", script, "bash", "noisefloor", *words], check=True,
                         capture_output=True, text=True)
    assert not out.stderr, out.stderr
    return set(out.stdout.split())


@case("the program's help lists every command once")
def _():
    listed = re.findall(r"^  ([a-z]+) {2,}\S", nf("--help").split("global options:")[0], re.M)
    names = list(dict.fromkeys(c[0] for c in COMMANDS))
    assert listed == names, f"{listed} != {names}"


@case("the help and the man page of a group list its subcommands once, and completion offers them")
def _():
    for group in GROUPS:
        names = [c[1] for c in COMMANDS if c[:1] == group]
        listed = re.findall(r"^  ([a-z]+) {2,}\S", nf(*group, "--help").split("global options:")[0], re.M)
        assert listed == names, f"{listed} != {names}"
        page = nf("--print-man", *group)
        for n in names:
            assert f".B {n}\n" in page, f"{group}: {n} is not on its man page"
            assert f"noisefloor\\-{group[0]}\\-{n} (1)" in page, f"{group}: no link to {n}"
            assert f"noisefloor\\-{group[0]} (1)" in nf("--print-man", *group, n)
        assert complete(*group, "") == set(names) | {w for w in complete(*group, "-")}
        assert set(names) <= complete("--json", *group, "--runs", "x", "")


@case("subcommands are of a group that has nothing else of its name")
def _():
    assert len(set(COMMANDS)) == len(COMMANDS)
    assert all(1 <= len(c) <= 2 for c in COMMANDS), COMMANDS
    assert not set(GROUPS) & set(COMMANDS), set(GROUPS) & set(COMMANDS)


@case("help, man page and completion of every command have the same options")
def _():
    for c in PAGES:
        h = help_options(nf(*c, "--help"))
        m = man_options(nf("--print-man", *c))
        k = {w[2:] for w in complete(*c, "--")}
        assert h == m, f"{c}: help {h ^ m} man"
        assert h == k, f"{c}: help {h ^ k} completion"
        assert nf("help", *c) == nf(*c, "--help") == nf("--help", *c), c


@case("the global options are the same everywhere")
def _():
    h = help_options(nf("--help"))
    assert h == man_options(nf("--print-man"))
    assert h == {w[2:] for w in complete("--")}
    for c in PAGES:
        assert h <= help_options(nf(*c, "--help")), c


@case("completion offers commands, choices and keywords")
def _():
    names = {c[0] for c in COMMANDS}
    assert names <= complete("")
    assert names <= complete("--json", "")
    assert complete("evidence", "convert", "--to", "j") >= {"json"}
    assert complete("fwq", "--kernel", "") == {"nop", "chain", "fma", "daxpy"}
    assert complete("fwq", "-k", "c") == {"chain"}
    assert complete("--runs", "x", "wake", "--cpus", "") == {"allowed", "isolated"}


@case("exit codes of help and man pages are the rows of tables/exit.def")
def _():
    rows = re.findall(r'^X\(\w+,\s*(\d+),\s*\d+,\s*"(.*)"\)', (SOURCE / "tables/exit.def").read_text(), re.M)
    assert len(rows) >= 8
    for text in [nf("--help")] + [nf(*c, "--help") for c in PAGES]:
        shown = re.findall(r"^ +(\d+)  (.*)$", text.split("exit status:\n")[1], re.M)
        assert shown == rows, shown
    for text in [nf("--print-man")] + [nf("--print-man", *c) for c in PAGES]:
        for value, _meaning in rows:
            assert f".B {value}\n" in text


@case("every example parses: its options exist")
def _():
    for c in PAGES:
        text = nf(*c, "--help")
        examples = re.findall(r"^  noisefloor (.*)$", text.split("exit status:")[0], re.M)
        assert examples, f"{c} has no example"
        for e in examples:
            at = max((k for k in PAGES if tuple(e.split()[:len(k)]) == k), key=len, default=c)
            known = help_options(nf(*at, "--help")) | {""}
            for o in re.findall(r"(?:^| )--([a-z][a-z0-9-]*|(?= |$))", re.sub(r"'[^']*'", "X", e)):
                assert o in known, f"{c}: --{o} in '{e}'"


@case("README names every command")
def _():
    readme = SOURCE / "README.md"
    if not readme.exists():
        return "SKIP readme: there is none yet"
    text = readme.read_text()
    for c in COMMANDS:
        assert re.search(rf"\b{' '.join(c)}\b", text), f"README does not name {' '.join(c)}"
    known = set.union(*(help_options(nf(*c, "--help")) for c in COMMANDS))
    for line in re.findall(r"^\s*(?:\$ )?noisefloor .*$", text, re.M):
        line = line.split("#")[0].split(" -- ")[0]
        for o in re.findall(r" --([a-z][a-z0-9-]*)", line):
            assert o in known, f"README: --{o} is no option of any command"
    return None


@case("man pages have no fault that mandoc finds")
def _():
    if not shutil.which("mandoc"):
        assert "mandoc" not in REQUIRED, "mandoc is required"
        return "SKIP mandoc: not installed"
    for args in [()] + PAGES:
        out = subprocess.run(["mandoc", "-Tlint", "-W", "error"], input=nf("--print-man", *args),
                             capture_output=True, text=True)
        assert out.returncode == 0, f"{args}: {out.stdout}{out.stderr}"
    return None


print(f"1..{len(results)}")
for n, (ok, name, why) in enumerate(results, 1):
    skip = f" # {why}" if ok and why else ""
    print(f"{'' if ok else 'not '}ok {n} - {name}{skip}")
    if not ok:
        print("# " + why.replace("\n", "\n# "))
sys.exit(not all(ok for ok, _, _ in results))

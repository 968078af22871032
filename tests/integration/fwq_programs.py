#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fwq_programs: noisefloor under the names of the FWQ benchmarks: what they print and write, what they refuse,
and what signals and full disks leave."""
import ctypes
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(os.environ["NF_BIN"])
CPU = min(os.sched_getaffinity(0))
LIBC = ctypes.CDLL(None)
SHARED = pathlib.Path(os.environ.get("NF_SHARED_DATA") or pathlib.Path(os.environ["NF_SOURCE"]).parent / "shared/data") / "fwq"
n = 0


def ok(what):
    global n
    n += 1
    print(f"ok {n} - {what}", flush=True)


def skip(name, why):
    global n
    n += 1
    required = name in os.environ.get("NF_REQUIRE", "").split(",")
    print(f"{'not ok' if required else 'ok'} {n} - {name} # SKIP {name}: {why}", flush=True)
    return required


def program(name, *words, **more):
    return subprocess.run([BIN.with_name(name), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def scan(text, fmt, *types):
    """sscanf: what was read and how far, or None."""
    values, used = [t() for t in types], ctypes.c_int(-1)
    got = LIBC.sscanf(text.encode(), (fmt + "%n").encode(), *map(ctypes.byref, values), ctypes.byref(used))
    return ([v.value for v in values], used.value) if got == len(types) and used.value >= 0 else None


def scan_values(text):
    out = []
    for line in text.splitlines(keepends=True):
        got = scan(line, "%lld\n", ctypes.c_longlong)
        assert got and line.endswith("\n"), line
        out.append(got[0][0])
    return out


def scan_threads(text):
    """A threads file as its readers scan it: ticks, seconds and GHz a thread, CPU and values a thread."""
    lines, speeds, threads = text.splitlines(keepends=True), [], []
    while lines and lines[0].startswith("Speed"):
        got = scan(lines.pop(0), "Speed: thread %d, cycles %lld, seconds %f, GHz %f\n", ctypes.c_int, ctypes.c_longlong,
                   ctypes.c_float, ctypes.c_float)
        assert got and got[0][0] == len(speeds), got
        speeds.append(got[0])
    for line in lines:
        got = scan(line, "Thread %d running on CPUs %d\n", ctypes.c_int, ctypes.c_int)
        if got:
            assert got[0][0] == len(threads)
            threads.append((got[0][1], []))
        else:
            threads[-1][1].extend(scan_values(line))
    assert len(speeds) == len(threads)
    for (_, ticks, seconds, ghz), (_, values) in zip(speeds, threads):
        assert sum(values) == ticks
        assert abs(seconds * ghz * 1e9 - ticks) <= 1e-3 * ticks + 2e3, (seconds, ghz, ticks)
    return threads


def serial():
    done = program("fwq", "-n", "300", "-w", "10", "-o", "one")
    assert done.returncode == 0, done
    assert done.stdout == "numsamples = 300\nwork_length = 2^10\n", done.stdout
    values = scan_values(pathlib.Path("one_0_times.dat").read_text())
    assert len(values) == 300 and min(values) > 0
    long_form = program("fwq", "--numsamples=20", "--work", "3", "--outname=two")
    assert long_form.returncode == 0 and len(scan_values(pathlib.Path("two_0_times.dat").read_text())) == 20
    ok("fwq prints its two lines and writes NAME_0_times.dat")
    program("fwq", "-n", "50", "-w", "16", "-o", "w16")
    more = scan_values(pathlib.Path("w16_0_times.dat").read_text())
    assert min(more) > 16 * min(values), (min(more), min(values))
    ok("-w is a power of two: 64 times the work takes over 16 times as long")


def threads():
    done = program("fwq-th", "-t", "1", "-c", str(CPU), "-n", "200", "-w", "10")
    assert done.returncode == 0, done
    assert done.stdout == ("Number of threads: 1\nWork per thread: 2^10\nNumber of samples per thread: 200\n"
                           f"Output file: fwq-th-times.dat\nThread 0 running on CPUs {CPU}\n"), done.stdout
    (cpu, values), = scan_threads(pathlib.Path("fwq-th-times.dat").read_text())
    assert cpu == CPU and len(values) == 200
    many = program("fwq-th", "--threads", str(len(os.sched_getaffinity(0))), "--samples=5", "--work=10", "--output=all.dat")
    assert many.returncode == 0, many
    found = scan_threads(pathlib.Path("all.dat").read_text())
    assert [c for c, _ in found] == sorted(os.sched_getaffinity(0)) and all(len(v) == 5 for _, v in found)
    ok("fwq-th writes a file that scanf reads with its formats")


def helps():
    for name in ("fwq", "fwq-th", "fwq-stats"):
        done = program(name, "--help")
        assert done.returncode == 0 and done.stdout.startswith(f"usage: {name} ") and not done.stderr, done
        assert program(name, "-h").stdout == done.stdout
    ok("--help shows the options")


def standard_output():
    done = program("fwq", "-s", "-n", "7", "-w", "8")
    assert done.returncode == 0 and len(scan_values(done.stdout.split("\n", 2)[2])) == 7
    done = program("fwq-th", "-s", "-c", str(CPU), "-n", "7", "-w", "10")
    values = scan_threads(done.stdout.split("\n", 4)[4])
    assert len(values[0][1]) == 7
    again = subprocess.run([BIN, "--json", "stats", "/dev/stdin"], input=done.stdout, capture_output=True, text=True)
    assert again.returncode == 0 and '"n": 7' in again.stdout, again
    ok("-s writes to standard output, and stats reads what stands there")
    with open("/dev/full", "w") as full:
        for name in ("fwq", "fwq-th"):
            done = subprocess.run([BIN.with_name(name), "-s", "-n", "9", "-w", "10"], stdout=full, stderr=subprocess.PIPE, text=True)
            assert done.returncode == 4 and done.stderr.count("\n") >= 1, done
    ok("a full standard output ends with 4")


def refusals():
    before = sorted(os.listdir())
    for name, *words in [("fwq", "-w", "abc"), ("fwq", "-w", "2"), ("fwq", "-w", "31"), ("fwq", "-n", "0"), ("fwq", "-n", "-1"),
                         ("fwq", "-n", "1e3"), ("fwq", "--nonsense"), ("fwq", "-n"), ("fwq", "operand"), ("fwq", "-s", "-o", "x"),
                         ("fwq-th", "-w", "9"), ("fwq-th", "-w", "1k"), ("fwq-th", "-t", "0"), ("fwq-th", "-t", "99999999"),
                         ("fwq-th", "-c", "3-1"), ("fwq-th", "-c", "0-"), ("fwq-th", "-c", "-1"), ("fwq-th", "-c", ""),
                         ("fwq-th", "-c", "60000", "-o", "new"), ("fwq-th", "-t", "9999", "-o", "new"),
                         ("fwq-th", "-o", "no/folder"), ("fwq", "-n", "4000000000", "-o", "new"), ("fwq-stats",),
                         ("fwq-stats", "nowhere")]:
        done = program(name, *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, (name, words, done)
    assert sorted(os.listdir()) == before
    ok("what they cannot do is one line, exits 2 and leaves no file")
    old = pathlib.Path("all.dat").read_bytes()
    done = program("fwq-th", "-n", "5", "-w", "10", "-o", "all.dat")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and pathlib.Path("all.dat").read_bytes() == old
    done = program("fwq-th", "-n", "6", "-w", "10", "-o", "all.dat", "--force")
    assert done.returncode == 0 and len(scan_threads(pathlib.Path("all.dat").read_text())[0][1]) == 6
    done = program("fwq-th", "-n", "6", "-w", "10", "-o", "/dev/full", "--force")
    assert done.returncode == 2, done
    ok("an existing file is kept unless --force says otherwise")


def signals():
    for name, signo, path, words in [("fwq", signal.SIGINT, "fwq_0_times.dat", []),
                                     ("fwq-th", signal.SIGTERM, "s.dat", ["-c", str(CPU), "-o", "s.dat"])]:
        p = subprocess.Popen([BIN.with_name(name), "-n", "20000000", "-w", "14", *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)  # calibration and warm-up are over by then on most machines: else there are no samples
        p.send_signal(signo)
        _, err = p.communicate(timeout=60)
        assert p.returncode == 128 + signo, (p.returncode, err)
        text = pathlib.Path(path).read_text()
        values = scan_values(text) if name == "fwq" else scan_threads(text)[0][1]
        assert len(values) < 20000000
        ok(f"{name}: {signo.name} keeps {'all complete samples' if values else 'a whole file'}")


def file_limit():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    for words in (["-o", "lim.dat"], ["-o", "lim.dat", "--force"], ["-s"]):
        with open("limited.out", "w") as out:
            done = subprocess.run([BIN.with_name("fwq-th"), "-n", "10000", "-w", "10", "-c", str(CPU), *words], preexec_fn=limit,
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 4 and done.stderr.count("File too large") == 1, done
        assert not [name for name in os.listdir() if name.startswith("lim.dat")]
    ok("a limit of file size is one line, exits 4 and leaves no file")


def lost_and_unlocked():
    lossy = ["fwq", "-c", str(CPU), "-d", "1s", "-w", "2^10", "--max-sample-bytes", "140000"]
    for flags, want in ((["--strict"], 3), ([], 0)):
        done = subprocess.run([BIN, *flags, "--runs", "lossy", *lossy], capture_output=True, text=True)
        assert done.returncode == want, done
        assert re.search(r"the figures are of the first [0-9.]+ % of the samples", done.stdout), done
        assert ("samples were lost" in done.stdout) == (want == 3), done
    ok("lost samples are no pass under --strict, and the text says what the figures are of")

    def limit():
        ctypes.CDLL(None).prctl(24, 14, 0, 0, 0)  # PR_CAPBSET_DROP CAP_IPC_LOCK: for root the limit holds too
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (8192, 8192))

    done = subprocess.run([BIN.with_name("fwq-th"), "-n", "5000", "-w", "10", "-c", str(CPU), "-o", "unlocked.dat"],
                          preexec_fn=limit, capture_output=True, text=True)
    assert done.returncode == 0 and "could not be locked" in done.stderr, done
    ok("memory that could not be locked is said")


def fwq_mpi():
    link = pathlib.Path("fwq-mpi")
    link.symlink_to(BIN)
    done = subprocess.run([f"./{link}", "-n", "3", "-w", "1000"], capture_output=True, text=True)
    assert done.returncode == 3 and "noisefloor-mpi" in done.stderr and done.stderr.count("\n") == 1, done
    ok("fwq-mpi says which program has MPI")


def statistics():
    pathlib.Path("one.dat").write_text("Speed: thread 0, cycles 1, seconds 1, GHz 1.0\nThread 0 running on CPUs 3\n9000\n1000\n2000\n")
    done = program("fwq-stats", "one.dat")
    assert done.returncode == 0 and done.stdout.splitlines()[:3] == ["one.dat", "Worker  0 on CPUs 3 with std 0.7071", "              0"], done
    assert "shown once" in done.stderr and "first sample" in done.stderr
    done = program("fwq-stats", "one_0_times.dat")
    assert done.returncode == 0 and "ticks" in done.stderr and "count" in done.stdout, done
    pathlib.Path("few.dat").write_text("Speed: thread 0, cycles 1, seconds 1, GHz 1.0\nThread 0 running on CPUs 3\n9000\n1000\n")
    done = program("fwq-stats", "few.dat", "one.dat")
    assert done.returncode == 3 and "one.dat\n" in done.stdout and "no figures" in done.stderr, done
    block = "Speed: thread 0, cycles 1, seconds 1, GHz {}.0\nThread 0 running on CPUs 3\n9000\n1000\n2000\n"
    pathlib.Path("negative.dat").write_text(block.format(1) + "-20\n")
    pathlib.Path("twice.dat").write_text(block.format(1) + block.format(2))
    pathlib.Path("none.dat").write_text("Speed: thread 0, cycles 1, seconds 1, GHz 1.0\nThread 0 running on CPUs 3\n")
    for command in ([BIN, "stats"], [BIN.with_name("fwq-stats")]):
        done = subprocess.run([*command, "negative.dat"], capture_output=True, text=True)
        assert done.returncode == 2 and "negative.dat:6: a negative value" in done.stderr, done
        done = subprocess.run([*command, "twice.dat"], capture_output=True, text=True)
        assert done.returncode == 0 and (done.stdout + done.stderr).count("more than one") == 2, done
        done = subprocess.run([*command, "none.dat"], capture_output=True, text=True)
        assert done.returncode == 3 and "no values" in done.stdout + done.stderr, done
    done = subprocess.run([BIN, "--json", "stats", "twice.dat"], capture_output=True, text=True)
    assert sorted(w["ghz"] for w in json.loads(done.stdout)["files"][0]["workers"]) == [1, 2], done
    ok("negative values are refused, repeated workers are said, no values exit 3")
    ok("fwq-stats does not stop at one worker, a serial file or too few values")


def recorded():
    if not SHARED.is_dir():
        return skip("shared-data", "no fwq beside the source")
    for want in sorted(SHARED.glob("*.stats.txt")):
        done = program("fwq-stats", want.name.replace(".stats.txt", ".dat"), cwd=SHARED)
        assert done.returncode == 0 and done.stdout == want.read_text(), (want, done.stdout)
        assert len(done.stderr.splitlines()) == 3
    ok("fwq-stats prints the recorded figures to the digit")
    file, = SHARED.glob("*serial*.dat")
    done = subprocess.run([BIN, "stats", file], capture_output=True, text=True)
    assert done.returncode == 0 and re.search(r"^serial +2000 ", done.stdout, re.M) and re.search(r"^serial +1999 ", done.stdout, re.M), done
    ok("stats reads the recorded serial file and shows how fwq-stats would differ")


def memory():
    with open("big.dat", "w") as f:
        f.write("".join(f"Speed: thread {t}, cycles 1, seconds 1.0, GHz 2.6\n" for t in range(8)))
        for t in range(8):
            f.write(f"Thread {t} running on CPUs {t}\n" + "".join(f"{3400 + i % 97}\n" for i in range(250000)))
    if b"__asan_init" in BIN.read_bytes() or b"__tsan_init" in BIN.read_bytes():
        return skip("memory-limit-here", "the memory is the sanitizer's")

    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (10 << 20, 10 << 20))

    done = subprocess.run([BIN, "--quiet", "stats", "big.dat"], preexec_fn=limit, capture_output=True, text=True)
    assert done.returncode == 0, done  # 2 MB a worker, 16 MB in all
    ok("eight workers' values are never in memory together")


def main():
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        steps = [serial, threads, helps, standard_output, refusals, signals, file_limit, lost_and_unlocked, fwq_mpi, statistics, recorded, memory]
        failed = any([bool(step()) for step in steps])
    print(f"1..{n}")
    return failed


sys.exit(main())

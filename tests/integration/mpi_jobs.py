#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpi_jobs: noisefloor-mpi under Open MPI's mpirun and MPICH's mpiexec.

What all ranks merged equals what a serial reader computes from the samples; the benchmark's name, options and file;
signals, killed ranks, full disks and outputs that exist; memory that does not grow with the ranks."""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess

import mpi_common as c

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpiexec.mpich"]}
if os.geteuid() == 0:
    LAUNCHERS["openmpi"].append("--allow-run-as-root")
SHORT = ["fwq", "-n", "200", "-w", "2^10"]


def why_not(mpi):
    if not c.PROGRAMS[mpi]:
        return "its development files are not installed: the program was not built"
    return None if shutil.which(LAUNCHERS[mpi][0]) else f"{LAUNCHERS[mpi][0]} is not installed"


def job(place, mpi, n, *words, program=None, **more):
    argv = [*LAUNCHERS[mpi], "-n", str(n), program or c.PROGRAMS[mpi], *words]
    return subprocess.Popen(argv, cwd=place.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **more)


def run(place, mpi, n, *words, **more):
    p = job(place, mpi, n, *words, **more)
    try:
        out, err = p.communicate(timeout=c.DEADLINE_S)
    except subprocess.TimeoutExpired:
        p.kill()
        raise
    return p.returncode, out, err


def own_lines(err, name="noisefloor-mpi: "):
    return [line for line in err.splitlines() if line.startswith(name)]


def merged_is_serial(mpi):
    grown = {}
    for n in (1, 2, 8):
        with c.Place() as place:
            code, out, err = run(place, mpi, n, "--json", *SHORT)
            assert code == 0, err
            body = c.check_run(place, n, 200, out)["body"]
            assert body["launcher"] == {"openmpi": "Open MPI mpirun", "mpich": "MPICH mpiexec"}[mpi]
            assert body["work"] == 1024 and body["nodes"] == 1
            grown[n] = body["own_memory_growth_bytes"]
            if n > os.cpu_count():
                assert body["sharing_ranks"] > 0, "oversubscribed ranks are not said"
            c.ok(f"{mpi}: {n} ranks: the merged figures are the serial ones, the evidence holds")
    return grown


SPEED = re.compile(r"Speed: process (\d+), cycles (\d+), seconds (\d+\.\d{6}), GHz (\d+\.\d{6})")
WORKER = re.compile(r"Process (\d+) running on CPUs (\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)")


def check_benchmark_file(lines, ranks, per_rank):
    speeds = [SPEED.fullmatch(line) for line in lines[:ranks]]
    assert all(speeds) and [int(s[1]) for s in speeds] == list(range(ranks)), lines[:ranks]
    rest = lines[ranks:]
    for i in range(ranks):
        assert int(WORKER.fullmatch(rest[0])[1]) == i
        values = [int(v) for v in rest[1:1 + per_rank]]
        assert sum(values) == int(speeds[i][2])
        rest = rest[1 + per_rank:]
    assert rest == []


def the_benchmarks_name(mpi):
    with c.Place() as place:
        name = place.path / "fwq-mpi"
        name.symlink_to(c.PROGRAMS[mpi])
        code, out, err = run(place, mpi, 2, "-n", "50", "-w", "4096", program=name)
        assert code == 0, err
        assert [int(WORKER.fullmatch(line)[1]) for line in out.splitlines()] == [0, 1], out
        check_benchmark_file((place.path / "fwq").read_text().splitlines(), 2, 50)
        assert sorted(p.name for p in place.path.iterdir()) == ["fwq", "fwq-mpi"], "more than its file"
        before = (place.path / "fwq").read_bytes()
        code, out, err = run(place, mpi, 2, "-n", "50", program=name)
        assert code == 2 and len(own_lines(err, "fwq-mpi: ")) == 1 and "exists" in err, (code, err)
        assert (place.path / "fwq").read_bytes() == before and not place.leftovers()
        if mpi == "openmpi":
            code, out, err = run(place, mpi, 3, "-n", "70", "-w", "1000", "-s", program=name)
            assert code == 0, err
            check_benchmark_file(out.splitlines(), 3, 70)
        c.ok(f"{mpi}: as fwq-mpi it writes that file, to a name or standard output, and refuses one that exists")


def outputs(mpi):
    with c.Place() as place:
        gone = subprocess.Popen(["true"])
        gone.wait()
        host = os.uname().nodename
        stale = place.path / f".out.nfsamples.{host}-{gone.pid}.nftmp"
        stale.write_text("half")
        ours = place.path / f".out.nfsamples.{host}-{os.getpid()}.nftmp"
        ours.write_text("somebody is at it")
        code, out, err = run(place, mpi, 2, "-q", *SHORT, "-o", "out.nfsamples", "--format", "noisefloor", "--no-samples")
        assert code == 0 and out == "", (out, err)
        assert [len(v) for _, v in c.read_samples(place.path / "out.nfsamples")] == [200, 200]
        assert not stale.exists() and ours.exists(), "stale temporary files"
        ours.unlink()
        assert not list(place.run_folder().glob("samples/*")), "samples kept in spite of --no-samples"
        assert c.evidence(place.run_folder()).returncode == 0
        shown = subprocess.run([c.BIN, "evidence", "check", place.path / "out.nfsamples"], capture_output=True, text=True)
        assert shown.returncode == 0, shown.stdout
        c.ok(f"{mpi}: .nfsamples to a file of its own; what killed jobs left is removed, what others write is not")


def usage(mpi):
    with c.Place() as place:
        (place.path / "there").write_text("mine")
        cases = [(["fwq", "-o", "there"], "exists"), (["fwq", "-w", "abc"], "--work"), (["fwq", "-o", "no/such/file"], "folder")]
        for words, says in cases if mpi == "mpich" else cases[:1]:
            code, out, err = run(place, mpi, 2, *words)
            assert code == 2 and len(own_lines(err)) == 1 and says in err and out == "", (words, code, err)
        assert (place.path / "there").read_text() == "mine" and not (place.path / "runs").exists()
        c.ok(f"{mpi}: bad input is one line and exit 2, before anything is made")


def full_disks(mpi):
    with c.Place() as place:
        with open("/dev/full", "w") as full:
            done = subprocess.run([c.PROGRAMS[mpi], *SHORT], cwd=place.path, stdout=full, stderr=subprocess.PIPE, text=True,
                                  stdin=subprocess.DEVNULL, timeout=c.DEADLINE_S)
        assert done.returncode == 4 and len(own_lines(done.stderr)) == 1, (done.returncode, done.stderr)
        c.ok(f"{mpi}: a standard output that cannot be written exits 4")
        if os.geteuid() != 0:
            return c.skip("small-disk", "mounting one needs root")
        (place.path / "small").mkdir()
        # 2 x 40,000 values of 4 to 8 digits do not fit into 128 KiB.
        argv = [*LAUNCHERS[mpi], "-n", "2", c.PROGRAMS[mpi], "-q", "fwq", "-n", "40000", "-w", "10", "-o", "small/out.dat"]
        script = 'mount -t tmpfs -o size=128k none small; "$@"; code=$?; ls -A small; exit $code'
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *argv], cwd=place.path, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=c.DEADLINE_S)
        if "mount:" in done.stderr:
            return c.skip("small-disk", done.stderr.splitlines()[0])
        assert done.returncode == 4 and len(own_lines(done.stderr)) == 1, (done.returncode, done.stderr)
        assert "out.dat" not in done.stdout and "nftmp" not in done.stdout, done.stdout
        c.ok(f"{mpi}: a disk that becomes full exits 4 and keeps no half file")


LONG = ["fwq", "-d", "60s", "--quantum", "100us", "-o", "out.dat"]


def signals(mpi):
    for sig, code_wanted in ((signal.SIGTERM, 143), (signal.SIGINT, 130))[:2 if mpi == "mpich" else 1]:
        with c.Place() as place:
            p = job(place, mpi, 2, *LONG)
            pids = c.measuring(c.PROGRAMS[mpi], place.path, 2)
            os.kill(pids[1], sig)
            out, err = p.communicate(timeout=c.DEADLINE_S)
            assert p.returncode == code_wanted, (sig, p.returncode, err)
            kept(place, out, sig.name)
            c.ok(f"{mpi}: {sig.name} to one rank: all stop, everything sampled is kept, the launcher returns {code_wanted}")


def signals_to_the_launcher(mpi):
    """Its status is the launcher's affair, and not always one that tells; the record is."""
    # What hydra returns depends on who ends first; mpirun kills after a second, record or not.
    codes = {"mpich": {signal.SIGTERM: {0, 143}, signal.SIGINT: {0, 130}}, "openmpi": {signal.SIGTERM: {1}, signal.SIGINT: {1}}}
    for sig, allowed in codes[mpi].items():
        with c.Place() as place:
            p = job(place, mpi, 1, *LONG)
            c.measuring(c.PROGRAMS[mpi], place.path, 1)
            p.send_signal(sig)
            out, err = p.communicate(timeout=c.DEADLINE_S)
            assert p.returncode in allowed, (sig, p.returncode, err)
            if mpi == "mpich":
                kept(place, out, sig.name, ranks=1)
            else:
                assert c.evidence(place.run_folder()).returncode == 3
            c.ok(f"{mpi}: {sig.name} to the launcher: it returns one of {sorted(allowed)}; the run folder tells that it is partial")


def kept(place, out, name, ranks=2):
    record = json.loads((place.run_folder() / "record.json").read_text())
    assert record["head"]["state"] == "partial" and record["body"]["stopped_by"] == name
    assert record["body"]["n"] > 100 and "partial" in out
    c.check_figures(record, place.run_folder(), ranks, None)
    assert c.evidence(place.run_folder()).returncode == 3
    assert sum(line.isdigit() for line in (place.path / "out.dat").read_text().splitlines()) == record["body"]["n"]
    assert not place.leftovers()


def killed_rank(mpi):
    with c.Place() as place:
        p = job(place, mpi, 3, *LONG)
        pids = c.measuring(c.PROGRAMS[mpi], place.path, 3)
        os.kill(pids[1], signal.SIGKILL)
        out, err = p.communicate(timeout=c.DEADLINE_S)
        assert p.returncode != 0
        said = out + err  # the launcher's words or ours
        assert re.search(r"(?i)kill|signal|died", said), said
        assert c.processes_of(c.PROGRAMS[mpi]) == [] or not set(pids) & set(c.processes_of(c.PROGRAMS[mpi]))
        assert not (place.path / "out.dat").exists() and not place.leftovers()
        assert not list(place.run_folder().glob("samples/*")) and not (place.run_folder() / "MANIFEST").exists()
        assert c.evidence(place.run_folder()).returncode == 3
        c.ok(f"{mpi}: a killed rank ends the job with a message and leaves no half file")


def jobs_of_one(mpi):
    other = "mpich" if mpi == "openmpi" else "openmpi"
    if why_not(other):
        return c.skip(other, why_not(other))
    with c.Place() as place:
        code, out, err = run(place, mpi, 2, *SHORT, program=c.PROGRAMS[other])
        assert code == 3 and len(own_lines(err)) == 1 and "one rank" in err, (code, err)
        assert out == "" and not (place.path / "runs").exists()
        code, out, err = run(place, mpi, 1, "-q", *SHORT, "--single", program=c.PROGRAMS[other])
        assert code == 0, err
    c.ok(f"{mpi}: the other MPI's program, silently one rank each, is refused with one line and exit 3")


def redacted(mpi):
    """A run of two nodes, made of one of one: the names of both are gone from a copy."""
    with c.Place() as place:
        code, out, err = run(place, mpi, 2, "-q", *SHORT)
        assert code == 0, err
        folder = place.run_folder()
        host = json.loads((folder / "record.json").read_text())["head"]["host"]["label"]
        node, = (folder / "nodes").iterdir()
        (folder / "nodes/1-zebra17.json").write_text(node.read_text().replace(f'"{host}"', '"zebra17"'))
        ranks = (folder / "ranks.csv").read_text().splitlines(keepends=True)
        (folder / "ranks.csv").write_text("".join(ranks[:2]) + ranks[2].replace(f'"{host}"', '"zebra17"'))
        files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "MANIFEST" and "derived" not in p.parts)
        (folder / "MANIFEST").write_text("".join(
            f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder)}\n"
            for p in sorted(files, key=lambda p: str(p.relative_to(folder)).encode())))
        assert c.evidence(folder).returncode == 0
        copy = place.path / "copy"
        subprocess.run([c.BIN, "evidence", "redact", folder, "-o", copy], check=True, capture_output=True)
        for p in copy.rglob("*"):
            assert "zebra17" not in p.name and (p.is_dir() or b"zebra17" not in p.read_bytes()), p
        assert len(list((copy / "nodes").iterdir())) == 2
        c.ok(f"{mpi}: a redacted copy names no node")


def memory(mpi, grown, many):
    """grown: by the number of ranks, what jobs before said."""
    if many not in grown:
        with c.Place() as place:
            code, out, err = run(place, mpi, many, "--json", *SHORT)
            assert code == 0, err
            body = json.loads(out)["body"]
            assert body["ranks"] == many and body["n"] == 200 * many
            grown[many] = body["own_memory_growth_bytes"]
    assert grown[many] - grown[2] <= 1 << 20, grown
    c.ok(f"{mpi}: {many} ranks: {grown[many] >> 10} KiB a rank, 2 ranks: {grown[2] >> 10} KiB")


def main():
    for mpi in LAUNCHERS:
        why = why_not(mpi)
        if why:
            c.skip(mpi, why)
            continue
        grown = merged_is_serial(mpi)
        the_benchmarks_name(mpi)
        usage(mpi)
        full_disks(mpi)
        signals(mpi)
        signals_to_the_launcher(mpi)
        killed_rank(mpi)
        jobs_of_one(mpi)
        if mpi == "openmpi":
            outputs(mpi)
        else:
            redacted(mpi)
        memory(mpi, grown, 64 if mpi == "openmpi" or os.environ.get("NF_LONG") == "1" else 8)
    c.finish()


main()

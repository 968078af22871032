#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpi_slurm: noisefloor-mpi under srun, on a Slurm that the test starts and ends."""
import os
import re
import signal
import subprocess

import mpi_common as c
import slurm_cluster

PLUGIN = {"mpich": "pmi2", "openmpi": "pmix"}
SHORT = ["fwq", "-n", "200", "-w", "2^10"]
LONG = ["fwq", "-d", "60s", "--quantum", "100us"]


def srun(cluster, place, mpi, plugin, n, *words):
    return cluster.srun(f"-n{n}", f"--mpi={plugin}", c.PROGRAMS[mpi], *words, cwd=place.path)


def merged_is_serial(cluster, mpi):
    for n in (1, 2, 8):
        with c.Place() as place:
            p = srun(cluster, place, mpi, PLUGIN[mpi], n, "--json", *SHORT)
            out, err = p.communicate(timeout=c.DEADLINE_S)
            assert p.returncode == 0, err
            body = c.check_run(place, n, 200, out)["body"]
            assert body["launcher"].startswith("Slurm"), body["launcher"]
            c.ok(f"srun --mpi={PLUGIN[mpi]}, {mpi}: {n} ranks: the merged figures are the serial ones")


def jobs_of_one(cluster, mpi, plugins):
    for plugin in plugins:
        with c.Place() as place:
            p = srun(cluster, place, mpi, plugin, 2, *SHORT)
            out, err = p.communicate(timeout=c.DEADLINE_S)
            lines = [line for line in err.splitlines() if line.startswith("noisefloor-mpi: ")]
            assert p.returncode == 3 and len(lines) == 1 and "Slurm started 2 tasks" in lines[0], (p.returncode, err)
            assert out == "" and not (place.path / "runs").exists()
            c.ok(f"srun --mpi={plugin}, {mpi}: two jobs of one rank are refused with one line and exit 3")


def killed_rank(cluster, mpi):
    """Slurm itself would let the others wait."""
    with c.Place() as place:
        p = srun(cluster, place, mpi, PLUGIN[mpi], 2, *LONG, "-o", "out.dat")
        pids = c.measuring(c.PROGRAMS[mpi], place.path, 2)
        os.kill(pids[1], signal.SIGKILL)
        out, err = p.communicate(timeout=c.DEADLINE_S)
        assert p.returncode != 0 and re.search("died|Killed", err), err
        assert not (place.path / "out.dat").exists() and not place.leftovers()
        assert not list(place.run_folder().glob("samples/*"))
        c.ok(f"srun, {mpi}: a killed rank ends the job with a message and leaves no half file")


def cancelled(cluster, mpi):
    with c.Place() as place:
        p = srun(cluster, place, mpi, PLUGIN[mpi], 2, *LONG)
        c.measuring(c.PROGRAMS[mpi], place.path, 2)
        job = subprocess.run(["squeue", "-h", "-o", "%A"], env=cluster.env, capture_output=True, text=True, check=True)
        subprocess.run(["scancel", *job.stdout.split()], env=cluster.env, check=True)
        p.communicate(timeout=c.DEADLINE_S)
        assert p.returncode == 143, p.returncode
        assert c.evidence(place.run_folder()).returncode == 3
        assert sum(len(v) for _, v in c.read_samples(place.run_folder() / "samples/fwq.nfsamples")) > 100
        c.ok(f"srun, {mpi}: scancel keeps everything sampled, exit 143")


def main():
    built = [mpi for mpi in PLUGIN if c.PROGRAMS[mpi]]
    why = slurm_cluster.missing()
    if why or not built:
        c.skip("slurm", why or "no MPI program was built")
        return c.finish()
    try:
        cluster = slurm_cluster.Cluster()
        cluster.__enter__()
    except RuntimeError as e:
        c.skip("slurm", str(e).splitlines()[0])
        print("\n".join("# " + line for line in str(e).splitlines()))
        return c.finish()
    try:
        for mpi in built:
            merged_is_serial(cluster, mpi)
            killed_rank(cluster, mpi)
            cancelled(cluster, mpi)
        if "mpich" in built:
            jobs_of_one(cluster, "mpich", ("pmix", "none"))
    finally:
        cluster.__exit__()
    assert not cluster.tmp.exists() and all(p.poll() is not None for p in cluster.children)
    c.ok("the cluster is gone")
    return c.finish()


main()

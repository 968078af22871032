# SPDX-License-Identifier: MIT
"""A Slurm cluster of one node for a test: munged, slurmctld and slurmd of its own, with their own key, sockets,
ports and folders, ended on every way out. Needs root (slurmd starts tasks) and the programs."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
STARTED_S = 60


def missing():
    """Why there can be no cluster here; None: there can."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    absent = [p for p in PROGRAMS if not shutil.which(p, path=path)]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return None if os.geteuid() == 0 else "needs root"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self):
        self.tmp = pathlib.Path(tempfile.mkdtemp(prefix="nf-slurm-"))
        self.children = []
        self.env = dict(os.environ, SLURM_CONF=str(self.tmp / "slurm.conf"),
                        PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

    def start(self, name, *args):
        log = (self.tmp / f"{name}.out").open("wb")
        self.children.append(subprocess.Popen([name, *args], env=self.env, stdin=subprocess.DEVNULL, stdout=log,
                                              stderr=log, start_new_session=True, cwd=self.tmp))

    def configure(self):
        for folder in ("munge", "state", "spool", "log"):
            (self.tmp / folder).mkdir(mode=0o711 if folder == "munge" else 0o700)
        self.tmp.chmod(0o755)
        key = self.tmp / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        host = socket.gethostname()
        short = host.split(".")[0]
        (self.tmp / "slurm.conf").write_text("\n".join([
            "ClusterName=test", f"SlurmctldHost={short}(127.0.0.1)", "SlurmUser=root", "SlurmdUser=root",
            f"SlurmctldPort={free_port()}", f"SlurmdPort={free_port()}",
            "AuthType=auth/munge", f"AuthInfo=socket={self.tmp}/munge/socket", "CredType=cred/munge",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SelectType=select/cons_tres",
            "JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none",
            "ReturnToService=2", "MpiDefault=none", "KillWait=5", "InactiveLimit=0",
            f"StateSaveLocation={self.tmp}/state", f"SlurmdSpoolDir={self.tmp}/spool",
            f"SlurmctldPidFile={self.tmp}/slurmctld.pid", f"SlurmdPidFile={self.tmp}/slurmd.pid",
            f"SlurmctldLogFile={self.tmp}/log/slurmctld", f"SlurmdLogFile={self.tmp}/log/slurmd",
            f"NodeName={short} NodeAddr=127.0.0.1 NodeHostname={short} CPUs={os.cpu_count()} RealMemory=500",
            f"PartitionName=all Nodes={short} Default=YES State=UP OverSubscribe=FORCE:16 MaxTime=10", ""]))

    def __enter__(self):
        try:
            self.configure()
            munge = self.tmp / "munge"
            self.start("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                       f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
            self.wait(lambda: (munge / "socket").exists(), "munged")
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.wait(lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%t"], env=self.env, capture_output=True,
                                                       text=True, timeout=30).stdout, "slurmd")
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait(self, ready, what):
        end = time.monotonic() + STARTED_S
        while not ready():
            dead = [c.args[0] for c in self.children if c.poll() is not None]
            if dead or time.monotonic() > end:
                logs = "\n".join(f"== {p}\n{p.read_text(errors='replace')[-1500:]}"
                                 for p in [*self.tmp.glob("*.out"), *self.tmp.glob("log/*"), *self.tmp.glob("munge/log")])
                raise RuntimeError(f"{what} did not come up ({', '.join(dead) or 'time is over'}):\n{logs}")
            time.sleep(0.1)

    def srun(self, *args, **more):
        """A running srun; its output is captured as text."""
        return subprocess.Popen(["srun", "--overcommit", *args], env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **more)

    def __exit__(self, *_):
        for sig in (signal.SIGTERM, signal.SIGKILL):
            for c in reversed(self.children):
                if c.poll() is None:
                    try:
                        os.killpg(c.pid, sig)
                    except ProcessLookupError:
                        pass
            end = time.monotonic() + 5
            while time.monotonic() < end and any(c.poll() is None for c in self.children):
                time.sleep(0.05)
        shutil.rmtree(self.tmp, ignore_errors=True)

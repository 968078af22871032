#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A redacted copy holds nothing that names the machine or its people, in any file, in any spelling, and still
checks. The run is a real one; into its record, captures, summary and sample headers go the names of every
captured host of tests/fixtures/hosts and a set of addresses, ids and serials."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["NF_SOURCE"])
BIN = os.environ["NF_BIN"]
PRIVATE = {
    "fqdn": "node17.cluster.example.org", "short": "node17", "domain": "cluster.example.org",
    "user": "jdoe", "account": "buildbot@farm3.example.net",
    "ipv4": "198.51.100.23", "ipv4 port": "203.0.113.9", "ipv6": "2001:db8:17::beef", "ipv6 long": "fe80::1ff:fe23:4567:890a",
    "mac": "52:54:00:ab:cd:ef", "mac dashes": "52-54-00-AB-CD-01", "infiniband": "80:00:02:08:fe:80:00:00:00:00:00:00:e4:1d:2d:03:00:7a:9b:c1",
    "uuid": "7d9f1c52-33a0-4c5e-9b0a-0e8a5d6c4b21", "UUID": "7D9F1C52-33A0-4C5E-9B0A-0E8A5D6C4B99",
    "machine id": "89abcdef0123456789abcdef01234567", "container": "f3a9c1" * 10 + "dead", "wwn": "0x5000c500a1b2c3d4",
    "serial": "SN-4711-XQ", "dmi serial": "PF2ABCDE", "asset": "ASSET 00917", "arm serial": "10000000deadbeef",
    "argument": "secret-project", "path": "/srv/apollo/cfg.toml", "kernel argument": "hunter2", "init argument": "--token=abc",
    "also": "apollo",
}
p = PRIVATE
TEXT = f"""hostname {p['fqdn']} alias {p['short']}. NODE17 domain {p['domain']}
home /home/{p['user']}/run owner={p['user']}; Linux version 6.1 ({p['account']}) (gcc 12)
inet {p['ipv4']}/24 peer {p['ipv4 port']}:8080 inet6 {p['ipv6']}/64 {p['ipv6 long']}%eth0
ether {p['mac']} wake {p['mac dashes']} ib {p['infiniband']}
root=UUID={p['uuid']} swap {p['UUID']} id {p['machine id']} docker-{p['container']}.scope wwn {p['wwn']}
Serial Number: {p['serial']}
product_serial={p['dmi serial']} chassis Asset Tag: {p['asset']}
Serial\t\t: {p['arm serial']}
project {p['also']}
time 12:34:56 pci 0000:00:1f.2 mask ffffffff,ffffffff 127.0.0.1 ::1 0.0.0.0 version 6.1.90 tsc 2600.0
"""
KEPT = ["12:34:56", "0000:00:1f.2", "ffffffff,ffffffff", "127.0.0.1 ::1 0.0.0.0", "version 6.1.90 tsc 2600.0"]


AS_ARGUMENT = {p[k] for k in ("argument", "path", "kernel argument", "init argument", "serial", "dmi serial", "asset")}
# Each name stands in one file in a way that says what it is, and in others alone.
PEOPLE = {
    "captures/homes.txt": "HOME=/home/dave, “/Users/gina/x” C:\\Users\\ivan /var/home/kim/ /export/home/lee /users/mona/ /home/1000/x /home/root\n",
    "captures/id.txt": "uid=1000(noor) gid=1000(otto) groups=1000(otto)\nUSER=frank\nLOGNAME=\"paula\"\npam: logname=erin uid=0 user=root\n",
    "captures/home_quinn_.bashrc.txt": "nothing\n",
    "captures/home/rosa/notes.txt": "nothing\n",
    "captures/alone.txt": "dave gina ivan kim lee mona noor otto frank paula erin quinn rosa; root ran 1000 times\n",
    "captures/a-first-dave.txt": "dave\n",
    "derived/by-erin.txt": "erin\n",
}
NAMES = "dave gina ivan kim lee mona noor otto frank paula erin quinn rosa".split()
NO_TEXT = {"zeros.txt": b"a line\nPassword\0dave 10.20.30.40\n", "wide.txt": "vm 10.20.30.40".encode("utf-16"),
           "wide-be.txt": b"\xfe\xff" + "vm".encode("utf-16-be"), "zipped.txt": b"\x1f\x8b\x08rest", "zstd.json": b"\x28\xb5\x2f\xfd rest",
           "xz.dhall": b"\xfd7zXZ\x00 rest", "late.txt": b"text\n" * 300000 + b"\0"}


def no_text(folder):
    for name, content in NO_TEXT.items():
        (folder / name).write_bytes(content)


def nf(*args, ok=(0,)):
    done = subprocess.run([BIN, *map(str, args)], capture_output=True, text=True)
    assert done.returncode in ok, (args, done.returncode, done.stderr)
    return done.stdout


def fixture_names():
    """Host name, machine id and boot id of every captured host."""
    found = set()
    for f in (SOURCE / "tests/fixtures/hosts").glob("*.host"):
        for line in f.read_text().splitlines():
            m = re.match(r"F (?:proc/sys/kernel/hostname|etc/machine-id|proc/sys/kernel/random/boot_id)\t([\x21-\x7e]+)\\n$", line)
            if m and "\\" not in m[1]:
                found.add(m[1])
    assert len(found) > 8, found
    return sorted(found)


def edit_header(path, edit):
    """The same sample file with another header."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    header = json.loads(data[16:16 + length])
    edit(header)
    text = json.dumps(header).encode()
    path.write_bytes(data[:12] + struct.pack("<I", len(text)) + text.ljust(-(-len(text) // 8) * 8, b"\0")
                     + data[16 + -(-length // 8) * 8:])


def spoil(run, hosts):
    """Puts every private text into every place of the run that can hold one."""
    record = json.loads((run / "record.json").read_text())
    head = record["head"]
    old = record["facts"]["streams"][0]["stream"]
    stream = f"fwq.{p['short']}.cpu0"

    def rename(header):
        header[0].update(name=stream, origin=f"of {p['ipv4']}", extra=p["serial"])
    edit_header(run / "samples/fwq.nfsamples", rename)
    head["host"]["label"] = head["setup_before"]["host_name"] = head["setup_after"]["host_name"] = p["fqdn"]
    head["run_id"] = f"20260102T030405Z-{p['fqdn']}-fwq"
    head["setup_before"].update(boot_id=p["uuid"], machine_hash=p["container"], cgroup_path=f"/user/{p['user']}/docker-{p['container']}",
                                kernel_cmdline=f"ro pass={p['kernel argument']} isolcpus=1 root=UUID={p['uuid']} -- {p['init argument']}")
    head["command"] = ["noisefloor", "fwq", "--tag", p["argument"], f"--output={p['path']}", "-n", "100", f"/home/{p['user']}/x"]
    head["under"] = f"run {p['argument']} {p['ipv4']}"
    head["inputs"] = [{"path": f"/home/{p['user']}/{p['argument']}", "sha256": "0" * 64}]
    head["differences"] = [{"name": "host_name", "before": p["fqdn"], "after": hosts[0], "is_volatile": False},
                           {"name": "kernel_cmdline", "before": f"a={p['kernel argument']}", "after": None, "is_volatile": False}]
    head["environment"] = [{"name": "LD_PRELOAD", "value": f"/home/{p['user']}/lib.so"}]
    for i, h in enumerate(hosts[1:]):
        head["differences"].append({"name": "host_name", "before": h, "after": f"{h}.example.com", "is_volatile": False})
    record["facts"]["notes"] = TEXT.splitlines() + [" ".join(hosts)]
    record["facts"]["streams"][0].update(stream=stream, origin=f"of {p['ipv4']}")
    for w in record["body"]["workers"]:
        if w["stream"] == old:
            w["stream"] = stream
    text = TEXT + " ".join(hosts) + "\n"
    (run / "captures/proc_version.txt").write_text(text * 3)
    (run / "captures/proc_cmdline.txt").write_text(head["setup_before"]["kernel_cmdline"] + "\n")
    (run / "captures/proc_sys_kernel_hostname.txt").write_text(p["fqdn"] + "\n")
    (run / "captures/etc_machine-id.txt").write_text(p["machine id"] + "\n")
    (run / "captures/sys_class_dmi_id_product_serial.txt").write_text(p["dmi serial"] + "\n")
    (run / f"captures/net_{p['mac']}_{p['short']} odd $(name) {p['uuid']}.txt").write_text(text)
    (run / "captures/long-line.txt").write_text("x" * (3 << 20) + " " + p["ipv4"] + " end")
    (run / "captures/not-utf8.txt").write_bytes(b"\x80\xff\xfe" + p["mac"].encode() + b"\xfe \x80")
    (run / "captures/quoted.txt").write_text("".join(f"“{v}” →{v}\u2028{v}’s\n\\n{v}\\u4e30{v}\x1b[31m{v}\x1b[0m\n"
                                                     for v in p.values() if v not in AS_ARGUMENT))
    no_text(run / "captures")
    for name, text in PEOPLE.items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_text(text)
    (run / "derived/summary.txt").write_text(text)
    (run / "derived/MANIFEST.sig").write_text("a signature of " + p["fqdn"])
    (run / "derived/link").symlink_to("/etc/hostname")
    sha = hashlib.sha256((run / "samples/fwq.nfsamples").read_bytes()).hexdigest()
    for s in record["facts"]["streams"]:
        s["sha256"] = sha
    (run / "record.json").write_text(json.dumps(record, indent=1))
    (run / "record.dhall").write_text(nf("evidence", "convert", "--to", "dhall", run / "record.json"))
    commit(run)


def leaks(folder, secrets):
    found = []
    for f in [*folder.rglob("*")]:
        texts = [str(f.relative_to(folder)).encode()] + ([f.read_bytes()] if f.is_file() else [])
        for name, s in secrets.items():
            pattern = re.compile(rb"(?<![A-Za-z0-9])" + re.escape(s.encode()) + rb"(?![A-Za-z0-9])", re.I)
            found += [f"{name}: {s} in {f.relative_to(folder)}" for t in texts if pattern.search(t)]
    return found


def shape(folder):
    """A copy with every pseudonym's digits taken out."""
    flat = re.compile(rb"(host|user|ip|mac|uuid|id|serial|arg|word|name)-[0-9a-f]{10}(?![0-9a-f])")
    return {flat.sub(rb"\1-X", str(f.relative_to(folder)).encode()): flat.sub(rb"\1-X", f.read_bytes())
            for f in folder.rglob("*") if f.is_file() and f.name not in ("MANIFEST", "record.json", "record.dhall", "record.csv")}


def commit(run):
    lines = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.relative_to(run)}\n" for f in run.rglob("*")
             if f.is_file() and f.name != "MANIFEST" and "derived" not in f.parts]
    (run / "MANIFEST").write_text("".join(sorted(lines, key=lambda line: line[66:].encode())))


def secrets_of(tree):
    """What names the machine of a captured tree or its people: by place, and by form in every file."""
    found = {}
    places = {"proc/sys/kernel/hostname", "proc/sys/kernel/random/boot_id", "etc/machine-id"}
    forms = [rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", rb"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", rb"\b[a-z]+@[a-z0-9.]+",
             rb"\b(?:198\.51\.100|203\.0\.113)\.[0-9]+", rb"\b2001[0-9a-f]{28}\b", rb"docker-([0-9a-f]{64})"]
    for f in tree.rglob("*"):
        path = str(f.relative_to(tree))
        if not f.is_file() or f.is_symlink():
            continue
        text = f.read_bytes()
        if path in places or "serial" in f.name and "dmi" in path or f.name == "chassis_asset_tag":
            value = text.decode("utf-8", "replace").strip()
            if value and value.isprintable() and "\ufffd" not in value:
                found[path] = value
        for n, form in enumerate(forms):
            for i, m in enumerate(re.findall(form, text)):
                found[f"{path} {n}.{i}"] = m.decode()
    return found


def run_of_tree(name, tmp):
    """A run folder with the posture of a captured host and every text that it was made from."""
    tree, run = tmp / "tree", tmp / f"20260102T030405Z-{name}-posture"
    subprocess.run([sys.executable, SOURCE / "tests/fixtures/expand-host", SOURCE / f"tests/fixtures/hosts/{name}.host", tree],
                   check=True)
    for folder in ("captures", "samples"):
        (run / folder).mkdir(parents=True)
    (run / "record.json").write_text(nf("--json", "posture", "--root", tree, ok=(0, 3)))
    for f in tree.rglob("*"):
        if f.is_file() and not f.is_symlink() and "/cpu/cpu" not in str(f):
            (run / "captures" / (str(f.relative_to(tree)).replace("/", "_") + ".txt")).write_bytes(f.read_bytes())
    commit(run)
    secrets = secrets_of(tree)
    shutil.rmtree(tree)
    return run, secrets


def captured_hosts(tmp):
    """The captured hosts themselves: of none is anything left. The number of names looked for."""
    n = 0
    for f in sorted((SOURCE / "tests/fixtures/hosts").glob("*.host")):
        run, secrets = run_of_tree(f.stem, tmp)
        assert len(leaks(run, secrets)) >= len(secrets), (f.stem, secrets)
        state = nf("evidence", "check", run, ok=(0, 3)).splitlines()[-1].split()[0]
        nf("evidence", "redact", run, "-o", tmp / "copy")
        found = leaks(tmp / "copy", secrets)
        assert not found, "\n".join([f.stem, *found])
        assert nf("evidence", "check", tmp / "copy", ok=(0, 3)).splitlines()[-1].split()[0] == state
        n += len(secrets)
        shutil.rmtree(tmp / "copy")
        shutil.rmtree(run)
    assert n > 30, n
    return n


with tempfile.TemporaryDirectory(prefix="nf-redact-") as tmp:
    tmp = pathlib.Path(tmp)
    captured = captured_hosts(tmp)
    nf("--quiet", "--runs", tmp / "runs", "fwq", "-t", "1", "-n", "200", "--quantum", "20us")
    run = next((tmp / "runs").iterdir())
    hosts = fixture_names()
    spoil(run, hosts)
    secrets = {**PRIVATE, **{f"fixture {h}": h for h in hosts}, **{f"person {n}": n for n in NAMES}}
    nf("evidence", "check", run)
    assert len(leaks(run, secrets)) > len(secrets), "the run does not hold what is looked for"
    one, two, again = tmp / "one", tmp / "two", tmp / "again"
    nf("evidence", "redact", run, "-o", one, "--also", p["also"])
    found = leaks(one, secrets)
    assert not found, "\n".join(found)
    out = nf("evidence", "check", one)
    assert "damaged" not in out and "partial" not in out, out
    subprocess.run(["sha256sum", "-c", "--quiet", "MANIFEST"], cwd=one, check=True)
    version = (one / "captures/proc_version.txt").read_text()
    for kept in KEPT:
        assert kept in version, (kept, version)
    record = json.loads((one / "record.json").read_text())
    assert record["head"]["command"][:3] == ["noisefloor", "fwq", "--tag"], record["head"]["command"]
    assert record["head"]["command"][5:7] == ["-n", "100"], record["head"]["command"]
    # The same text has the same pseudonym in every file; another copy has others.
    label = record["head"]["host"]["label"]
    assert re.fullmatch(r"host-[0-9a-f]{10}", label), label
    assert (one / "captures/proc_sys_kernel_hostname.txt").read_text().strip() == label
    assert version.count(label) == 3 and record["head"]["setup_after"]["host_name"] == label
    nf("evidence", "redact", run, "-o", two, "--also", p["also"])
    assert json.loads((two / "record.json").read_text())["head"]["host"]["label"] != label
    assert shape(one) == shape(two), [k for k in {**shape(one), **shape(two)} if shape(one).get(k) != shape(two).get(k)]
    nf("evidence", "redact", one, "-o", again)
    assert shape(one) == shape(again), [k for k in shape(one) if shape(one)[k] != shape(again).get(k)]
    nf("evidence", "check", again)
    for name in NO_TEXT:
        assert not (one / "captures" / name).exists(), name
    assert (one / "captures/not-utf8.txt").exists()
    alone = (one / "captures/alone.txt").read_text()
    assert alone.endswith("; root ran 1000 times\n"), alone
    assert [re.fullmatch(r"user-[0-9a-f]{10}", w) is not None for w in alone.split(";")[0].split()] == [True] * len(NAMES), alone
    dave = alone.split()[0]
    assert f"HOME=/home/{dave}," in (one / "captures/homes.txt").read_text()
    assert (one / f"captures/a-first-{dave}.txt").read_text() == dave + "\n"
    # The figures are the run's.
    assert "body.workers" not in re.sub(r"\[stream=[^\]]*\]", "", "\n".join(
        line for line in nf("evidence", "diff", one, two, ok=(0, 1)).splitlines() if ".stream" not in line and "[stream" not in line))
    assert not (one / "derived/MANIFEST.sig").exists() and not (one / "derived/link").is_symlink()
    # Refusals leave nothing.
    before = sorted(x.name for x in tmp.iterdir())
    nf("evidence", "redact", run, "-o", one, ok=(2,))
    nf("evidence", "redact", run, "-o", tmp / "no" / "parent", ok=(4,))
    nf("evidence", "redact", tmp / "nowhere", "-o", tmp / "x", ok=(2,))
    # Nothing is made inside the run, whatever way leads there.
    (tmp / "way").symlink_to(run / "captures")
    for inside in (run / "copy", run / "captures/copy", tmp / "way/copy"):
        nf("evidence", "redact", run, "-o", inside, ok=(2,))
        assert not inside.exists()
    (tmp / "way").unlink()
    # What a killed redaction left is swept by the next one to the same place, and nothing else is.
    gone = subprocess.Popen(["true"])
    gone.wait()
    stale, other, alive = (tmp / f".{name}.{pid}.tmp" for name, pid in (("x", gone.pid), ("y", gone.pid), ("x", os.getpid())))
    for left in (stale, other, alive):
        (left / "captures").mkdir(parents=True)
        (left / "captures/a.txt").write_text("half")
    nf("evidence", "redact", run, "-o", tmp / "x")
    assert not stale.exists() and other.exists() and alive.exists()
    for left in (tmp / "x", other, alive):
        shutil.rmtree(left)
    (run / "captures/proc_version.txt").write_text("changed")
    nf("evidence", "redact", run, "-o", tmp / "x", ok=(2,))
    # A run without its end has a copy without one.
    (two / "MANIFEST").unlink()
    nf("evidence", "redact", two, "-o", tmp / "x")
    nf("evidence", "check", tmp / "x", ok=(3,))
    shutil.rmtree(tmp / "x")
    assert sorted(x.name for x in tmp.iterdir()) == before, sorted(x.name for x in tmp.iterdir())
    print(f"{captured} of the captured hosts, {len(secrets)} names, addresses, ids and serials; none left in {sum(1 for f in one.rglob('*') if f.is_file())} files")
sys.exit(0)

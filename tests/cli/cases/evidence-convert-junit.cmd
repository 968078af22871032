noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor --quiet wake -c "$CPU" -d 100ms --period 1ms --max-jitter 1ns --max-latency 2ms
noisefloor evidence convert --to junit runs/*-fwq runs/*-wake | sed -E 's/ time="[0-9.]+"//; s/ timestamp="[0-9T:-]{19}"//; s/ hostname="[^"]*"//; s,runs/[^"]*-(fwq|wake)",runs/X-\1",'
python3 - <<'P'
import subprocess, glob, xml.etree.ElementTree as E
root = E.fromstring(subprocess.run(["noisefloor", "evidence", "convert", "--to", "junit", *glob.glob("runs/*")], capture_output=True).stdout)
assert root.tag == "testsuites"
for suite in root:
    cases = suite.findall("testcase")
    assert int(suite.get("tests")) == len(cases), suite.attrib
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))
P

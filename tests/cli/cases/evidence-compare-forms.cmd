cp $CAPTURES/probe.txt .
noisefloor evidence project probe.txt >r.dhall
noisefloor evidence project --to json probe.txt >r.json
noisefloor --json evidence compare probe.txt r.dhall r.json >c.json && noisefloor evidence check c.json
python3 -c '
import json
c = json.load(open("c.json"))
print(c["schema"], [i["type"] for i in c["inputs"]])
print([f["values"] for f in c["figures"] if f["metric"] == "numa.speedup"])'

cp $CAPTURES/smi.txt .
noisefloor evidence project smi.txt >p.dhall && noisefloor evidence check p.dhall
noisefloor --json evidence project smi.txt | python3 -c '
import json, sys
p = json.load(sys.stdin)
c = p["captures"][0]
print(p["schema"], p["host_probe"], c["kind"], c["facts"]["smi_count"], c["replaced"])
t = [t for t in c["trace"] if t["field"] == "smi_count"][0]
print(t["line"], t["text"])'

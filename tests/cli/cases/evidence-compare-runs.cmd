noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor --json evidence compare --by host runs/* | python3 -c '
import json, sys
c = json.load(sys.stdin)
print([f["metric"] for f in c["figures"]], len(c["inputs"]), c["warnings"])'

noisefloor --json posture | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["schema"], r["root"])'

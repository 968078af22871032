python3 - <<'P'
import hashlib, json, os
for i in range(24):
    f = f"runs/202601{1 + i // 20:02d}T{i % 20:02d}0000Z-lab-t"
    os.makedirs(f)
    w = (1000 if i < 12 else 1500) + (i * i * 31 + i * 17) % 23
    r = json.dumps({"schema": "NoiseRun/1", "head": {"tag": "t", "started_utc": f[5:20], "lane": "rt",
        "host": {"label": "lab"}, "state": "complete"}, "body": {"worst_detour_ns": w}}) + "\n"
    open(f + "/record.json", "w").write(r)
    open(f + "/MANIFEST", "w").write(hashlib.sha256(r.encode()).hexdigest() + "  record.json\n")
P
noisefloor history
noisefloor history noise.worst
noisefloor --json history noise.worst --host lab | python3 -c 'import json, sys; s = json.load(sys.stdin)["series"][0]; print(len(s["points"]), s["steps"][0]["at"])'
echo broken > runs/.noisefloor-index.sqlite
noisefloor history noise.worst | sed 's/damaged-[0-9-]*/damaged-X/' | tail -1
noisefloor history noise.worst --host elsewhere; echo "exit $?"
noisefloor history no.such 2>&1 | cut -c1-60; echo "exit ${PIPESTATUS[0]}"
noisefloor --runs absent history; echo "exit $?"

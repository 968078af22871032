noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
set -- runs/*
noisefloor evidence diff "$1" "$1/record.dhall"
echo $?
python3 - "$1" <<'P'
import json, sys
r = json.load(open(sys.argv[1] + "/record.json"))
w = r["body"]["workers"][0]
w["summary"]["min"] = 100.0
w["summary"]["percentiles"][1]["value"] = 2.0
w["wall_ns"] = 4000
r["facts"]["notes"] = ["one"]
r["head"]["host"]["label"] = "a"
json.dump(r, open("a.json", "w"))
w["summary"]["min"] = 150.0
w["summary"]["percentiles"][1]["value"] = -2.0
w["wall_ns"] = 1000
r["facts"]["notes"] = ["one", "two"]
r["head"]["host"]["label"] = "b\u001b"
r["facts"]["limit"] = "some"
w2 = dict(w, stream="fwq.extra", cpu=77)
r["body"]["workers"].insert(0, w2)
json.dump(r, open("b.json", "w"))
P
noisefloor evidence diff a.json b.json
echo $?
noisefloor --json evidence diff a.json b.json | python3 -c 'import json, sys; [print(d["path"], d["kind"], d["unit"], d["difference"], d["ratio"]) for d in json.load(sys.stdin)["differences"]]'

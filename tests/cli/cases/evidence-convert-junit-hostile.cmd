noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
python3 - <<'P'
import glob, json
r = json.load(open(glob.glob("runs/*/record.json")[0]))
r["facts"].update(result="fail", reason="\x1b[31m <b> & \"quoted\" \x00 ]]> \ufffe \u0085", limit="a < b")
r["head"]["result"] = "fail"
json.dump(r, open("r.json", "w"))
P
noisefloor evidence convert --to junit r.json >r.xml
python3 -c 'import xml.etree.ElementTree as E; [print(c.get("name"), [ascii(f.get("message")) for f in c]) for c in E.parse("r.xml").iter("testcase")]'

noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
rm runs/*/MANIFEST
noisefloor --json evidence check runs >out
code=$?
python3 -c 'import json; r = json.load(open("out")); print(r["exit"], r["items"][-1]["state"], r["items"][-1]["why"])'
exit $code

noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor evidence convert --to dhall runs/*/record.json >r.dhall
noisefloor evidence convert --to json r.dhall >r.json
python3 -c 'import glob, json; print(json.load(open("r.json")) == json.load(open(glob.glob("runs/*/record.json")[0])))'
[ "$(noisefloor evidence hash r.dhall)" = "$(noisefloor evidence hash runs/*/record.dhall)" ] && echo same

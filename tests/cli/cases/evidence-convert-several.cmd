noisefloor evidence convert --to csv a b
noisefloor --json evidence convert --to junit a
noisefloor evidence convert --to xml a
noisefloor evidence convert --to csv nowhere
echo '{ "a": 1 }' >x.json; noisefloor evidence convert --to csv x.json
echo '{ "schema": "NoiseRun/9" }' >x.json; noisefloor evidence convert --to junit x.json
echo '{ "schema"' >x.json; noisefloor evidence convert --to csv x.json
mkdir d; noisefloor evidence convert --to csv d

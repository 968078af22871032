noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor evidence convert --to csv runs/* >a.csv
noisefloor evidence convert --to csv runs/*/record.dhall | cmp - a.csv
cmp a.csv runs/*/derived/record.csv
grep -c . a.csv >lines; [ "$(cat lines)" -gt 100 ] && sed -n '1,3p' a.csv

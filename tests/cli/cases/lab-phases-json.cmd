# The forms find themselves, and the record passes the check of its type.
printf '[0.000001 0.000001] go\n[1.250000 1.249999] login: \n' >a_1.log
printf 'Nov 30 23:59:59 go\nDec  1 00:00:01 login: \n' >b_1.log
printf '[23:59:59.500] go\n[00:00:00.000] login: \n' >c_1.log
printf '0.5\tgo\n0.75\tlogin: \n' >d_1.log
noisefloor --json lab phases *.log --t0 go --phase up=login: >r.json
python3 -c 'import json; [print(a["config"], a["run"], a["form"], a["phases"][0]["time_s"]) for a in json.load(open("r.json"))["attempts"]]'
noisefloor evidence check r.json
noisefloor --json lab phases b_1.log a_1.log d_1.log c_1.log --t0 go --phase up=login: >p.json
python3 -c 'import json; a, b = (json.load(open(n)) for n in ("r.json", "p.json")); print(all(a[k] == b[k] for k in ("configs", "ratios", "findings", "attempts")))'

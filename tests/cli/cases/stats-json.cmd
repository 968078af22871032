printf '%s\n' 'Speed: thread 0, cycles 200, seconds 0.1, GHz 2.000000' \
	'Speed: thread 1, cycles 400, seconds 0.1, GHz 4.000000' \
	'Thread 0 running on CPUs 3' 2000 4000 4000 40000 'Thread 1 running on CPUs 5' 9000 8000 8000 8400 >f.dat
noisefloor --json stats f.dat | python3 -c '
import json, sys
r = json.load(sys.stdin)
f, = r["files"]
print(r["schema"], f["form"], f["complete"])
for w in f["workers"]:
    print(w["name"], w["cpus"], w["ghz"], w["unit"], w["figures"]["mean"], w["noise_ratio"], w["least_sd"], w["most_sd"])
print(f["fwq_stats"]["ghz"], [(c["worker"], c["figures"]["n"], c["figures"]["mean"]) for c in f["fwq_stats"]["columns"]])'

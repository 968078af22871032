# The work is fixed, so the samples of the duration do not fit.
echo "max_noise = 100%" >budget
noisefloor --json fwq -c "$CPU" -t 1 -d 300ms -w 1000 --max-sample-bytes 32768 --budget budget >record
code=$?
grep -o '"dropped": [0-9]*' record | head -1 | sed 's/[1-9][0-9]*/many/'
grep -o '"result": "[a-z]*"' record | sort -u
exit $code

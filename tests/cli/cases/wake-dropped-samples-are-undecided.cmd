# Eight activations and memory for four of them: within every limit, and yet it cannot be told.
noisefloor --json wake -c "$CPU" -p 100ms -n 8 --max-jitter 1h --max-latency 1h --max-sample-bytes 64 >record
code=$?
grep -o '"dropped": [0-9]*' record | head -1
grep -o '"result": "[a-z]*"' record | sort -u
exit $code

noisefloor --json ftq -c "$CPU" -d 20ms >record
code=$?
grep -o '"no_spectrum": "[^"]*"' record
grep -o '"spectrum": null' record
exit $code

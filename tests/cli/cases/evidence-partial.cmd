noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
rm runs/*/MANIFEST
noisefloor evidence check runs >out
code=$?
tail -1 out
exit $code

noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us --tag a
noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us --tag b
rm runs/*-a/MANIFEST
echo x >>runs/*-b/record.json
noisefloor --quiet evidence check runs
echo $?
noisefloor --quiet evidence check runs/*-a
echo $?
noisefloor --quiet evidence check runs nowhere
echo $?

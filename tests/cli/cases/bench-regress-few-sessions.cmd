noisefloor --quiet bench regress --save-baseline base.json --sessions 2 --sets 3 -- true; echo $?
noisefloor bench regress --any-machine --baseline base.json -- true; echo $?
noisefloor bench regress --any-machine --baseline base.json -- false; echo $?
noisefloor --quiet bench regress --any-machine --baseline base.json --threshold 1000% --sets 3 -- true; echo $?
noisefloor evidence check base.json; echo $?
sed 's/"median": [0-9.e+-]*/"median": 0/' base.json > zero.json
noisefloor evidence check zero.json; echo $?
noisefloor bench regress --any-machine --baseline zero.json -- true; echo $?

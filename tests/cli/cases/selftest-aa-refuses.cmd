noisefloor selftest aa --repeats 4; echo $?
noisefloor selftest aa --delta 5%; echo $?
noisefloor selftest aa --sets 4; echo $?
noisefloor selftest aa --max-time 200ms; echo $?
noisefloor selftest aa again; echo $?
ls

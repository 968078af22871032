# needs: 2cpus
noisefloor selftest
noisefloor selftest inject --min-recall 101%; echo $?
noisefloor selftest inject --length 9ms --period 9ms; echo $?
noisefloor selftest inject --phase 20ms; echo $?
noisefloor selftest inject --duration 100ms --period 60ms; echo $?
noisefloor selftest inject --rate 100 --period 1ms; echo $?
noisefloor selftest inject --cpus "$CPU,$OTHER"; echo $?
ls

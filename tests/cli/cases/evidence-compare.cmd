cp $CAPTURES/*.txt .
noisefloor evidence compare probe.txt probe-rt.txt smi.txt validator.txt
noisefloor --strict --quiet evidence compare probe.txt probe-rt.txt; echo $?

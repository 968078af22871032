cp $CAPTURES/probe.txt $CAPTURES/probe-rt.txt .
noisefloor evidence project probe.txt probe-rt.txt

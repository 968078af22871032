cp $CAPTURES/*.txt .
noisefloor evidence compare --csv groups probe.txt probe-rt.txt 2>/dev/null
noisefloor evidence compare --csv values --by tag probe.txt smi.txt 2>/dev/null
noisefloor evidence compare --csv published probe.txt probe-rt.txt smi.txt 2>/dev/null

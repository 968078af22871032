echo hello: world >x.txt
echo '{"a": 1}' >x.json
noisefloor evidence compare x.txt
noisefloor evidence compare x.json
noisefloor evidence compare nowhere
noisefloor evidence compare --csv published --by tag $CAPTURES/probe.txt
cp $CAPTURES/probe.txt .; noisefloor evidence compare --base rt probe.txt

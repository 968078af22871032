echo hello: world >x.txt
noisefloor evidence project x.txt

noisefloor fwq -n 1 --samples 2

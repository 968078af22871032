noisefloor fwq -n -5

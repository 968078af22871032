noisefloor fwq -n

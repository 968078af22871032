noisefloor fwq -t 0

noisefloor fwq -z

noisefloor fwq -w 2^-3

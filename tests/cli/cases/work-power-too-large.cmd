noisefloor fwq -w 2^41

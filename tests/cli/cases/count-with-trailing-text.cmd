noisefloor fwq -n 10k

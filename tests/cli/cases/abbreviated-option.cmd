noisefloor fwq --dur 1s

noisefloor fwq --samples 0

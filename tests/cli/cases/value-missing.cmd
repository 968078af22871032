noisefloor fwq --samples

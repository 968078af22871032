noisefloor fwq --frobnicate 5

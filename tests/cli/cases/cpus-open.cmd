noisefloor fwq --cpus 2-

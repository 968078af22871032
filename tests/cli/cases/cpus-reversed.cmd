noisefloor fwq --cpus 3-0

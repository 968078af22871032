noisefloor fwq --cpus all

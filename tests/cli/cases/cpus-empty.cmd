noisefloor fwq --cpus ''

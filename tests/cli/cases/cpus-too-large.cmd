noisefloor fwq --cpus 99999999

noisefloor fwq --cpus 65535

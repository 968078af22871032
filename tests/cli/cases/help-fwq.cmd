noisefloor fwq --help

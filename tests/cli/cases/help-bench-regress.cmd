noisefloor bench regress --help

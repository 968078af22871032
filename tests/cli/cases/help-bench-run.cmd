noisefloor bench run --help

noisefloor evidence --help

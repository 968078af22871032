noisefloor wake --help

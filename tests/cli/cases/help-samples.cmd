noisefloor samples --help

noisefloor lab --help

noisefloor lab shell --help

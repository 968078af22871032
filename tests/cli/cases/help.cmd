noisefloor --help

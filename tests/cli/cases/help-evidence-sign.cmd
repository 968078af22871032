noisefloor evidence sign --help

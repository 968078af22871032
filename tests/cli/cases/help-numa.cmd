noisefloor numa --help

noisefloor audit --help

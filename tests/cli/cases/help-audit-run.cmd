noisefloor audit run --help

noisefloor clock --help

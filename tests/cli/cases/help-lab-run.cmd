noisefloor lab run --help

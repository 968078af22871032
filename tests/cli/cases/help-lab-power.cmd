noisefloor lab power --help

noisefloor lab doctor --help

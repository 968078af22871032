noisefloor lab phases --help

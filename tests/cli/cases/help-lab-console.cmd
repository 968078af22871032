noisefloor lab console --help

noisefloor bench compare --help

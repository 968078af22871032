noisefloor ftq --help

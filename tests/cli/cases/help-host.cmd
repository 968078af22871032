noisefloor host --help

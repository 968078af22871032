noisefloor lane verify --help

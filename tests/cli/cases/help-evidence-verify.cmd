noisefloor evidence verify --help

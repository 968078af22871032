noisefloor evidence hash --help

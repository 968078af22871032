noisefloor evidence show --help

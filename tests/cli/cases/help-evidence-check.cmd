noisefloor evidence check --help

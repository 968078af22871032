noisefloor lane --help

noisefloor lane campaign --help

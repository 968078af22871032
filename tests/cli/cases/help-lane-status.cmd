noisefloor lane status --help

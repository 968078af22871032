noisefloor bench list --help

noisefloor osnoise --help

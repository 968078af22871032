noisefloor help --help

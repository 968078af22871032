noisefloor timerlat --help

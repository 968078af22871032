noisefloor smi --help

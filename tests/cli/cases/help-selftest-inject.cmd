noisefloor selftest inject --help

noisefloor selftest --help

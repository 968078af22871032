noisefloor selftest aa --help

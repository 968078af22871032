noisefloor bench --help

noisefloor evidence diff --help

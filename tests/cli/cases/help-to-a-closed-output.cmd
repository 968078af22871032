noisefloor --help >&-

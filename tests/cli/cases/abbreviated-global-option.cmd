noisefloor --js clock

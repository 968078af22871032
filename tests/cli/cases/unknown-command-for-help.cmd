noisefloor help frobnicate

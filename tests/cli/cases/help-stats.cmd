noisefloor help stats

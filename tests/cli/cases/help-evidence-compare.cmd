noisefloor help evidence compare

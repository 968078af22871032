noisefloor help evidence project

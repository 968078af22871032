noisefloor help evidence frob

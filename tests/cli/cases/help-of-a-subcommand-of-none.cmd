noisefloor help fwq frob

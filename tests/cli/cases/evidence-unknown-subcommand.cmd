noisefloor evidence frob x

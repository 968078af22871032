noisefloor evidence hash

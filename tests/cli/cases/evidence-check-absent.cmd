noisefloor evidence check nowhere

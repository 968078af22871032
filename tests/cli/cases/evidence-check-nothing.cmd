noisefloor evidence check

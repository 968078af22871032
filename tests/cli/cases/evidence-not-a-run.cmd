mkdir d
noisefloor evidence check d

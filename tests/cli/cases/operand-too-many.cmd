noisefloor samples a b

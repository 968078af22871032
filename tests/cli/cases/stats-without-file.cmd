noisefloor stats

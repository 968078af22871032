noisefloor evidence che x

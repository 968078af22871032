noisefloor samples --unit us x

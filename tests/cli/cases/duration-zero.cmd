noisefloor wake --duration 0s

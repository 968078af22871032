noisefloor wake --duration 5

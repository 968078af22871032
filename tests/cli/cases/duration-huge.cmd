noisefloor wake --duration 9999h

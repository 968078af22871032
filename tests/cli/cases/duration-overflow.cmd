noisefloor wake --duration 99999999999999999999h

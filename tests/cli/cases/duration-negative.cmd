noisefloor wake --duration -1s

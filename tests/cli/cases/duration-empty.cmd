noisefloor wake --duration ''

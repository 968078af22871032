noisefloor wake --duration abcms

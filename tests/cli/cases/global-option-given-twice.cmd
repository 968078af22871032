noisefloor --runs a clock --runs b

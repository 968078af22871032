noisefloor wake --priority 10

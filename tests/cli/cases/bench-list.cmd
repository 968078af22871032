noisefloor bench list

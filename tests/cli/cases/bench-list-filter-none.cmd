noisefloor bench list --filter nothing-like-it

noisefloor bench list --program /bin/true

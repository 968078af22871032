noisefloor fwq -n abc

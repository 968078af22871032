noisefloor fwq -w abc

noisefloor fwq --kernel ''

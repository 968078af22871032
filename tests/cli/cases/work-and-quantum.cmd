noisefloor fwq --work 5 --quantum 1ms

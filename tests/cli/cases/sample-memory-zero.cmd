noisefloor wake --max-sample-bytes 0

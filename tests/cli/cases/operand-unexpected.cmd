noisefloor fwq file.txt

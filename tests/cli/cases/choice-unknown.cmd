noisefloor fwq --kernel cosine

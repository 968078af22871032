noisefloor fwq -o x --no-samples

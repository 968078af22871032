noisefloor fwq --format csv

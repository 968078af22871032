noisefloor --json clock --quiet

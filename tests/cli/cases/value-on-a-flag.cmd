noisefloor --json=yes clock

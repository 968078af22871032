noisefloor --version

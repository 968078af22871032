noisefloor --colour host

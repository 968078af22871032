touch f; noisefloor --runs f clock -d 20ms

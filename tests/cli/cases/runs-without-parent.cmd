noisefloor --runs a/b/c clock -d 20ms

noisefloor detour --help

noisefloor audit src --help

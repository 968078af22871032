noisefloor audit log --help

noisefloor posture --help

noisefloor posture --root nowhere

noisefloor posture | head -3

noisefloor host --budget x --period 4ms

noisefloor frobnicate --json

noisefloor osnoise --period 100ms --runtime 200ms

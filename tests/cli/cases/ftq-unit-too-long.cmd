noisefloor ftq -c "$CPU" --unit 50us

noisefloor --json bench list --filter 'triad|futex'

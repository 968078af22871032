noisefloor bench sweep --help

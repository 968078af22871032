noisefloor bench convert --help

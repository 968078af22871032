noisefloor evidence convert --help

noisefloor lane clear --help

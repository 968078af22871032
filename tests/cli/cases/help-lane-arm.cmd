noisefloor lane arm --help

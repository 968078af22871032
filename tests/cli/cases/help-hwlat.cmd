noisefloor hwlat --help

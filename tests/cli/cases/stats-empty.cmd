>f.dat
noisefloor stats f.dat

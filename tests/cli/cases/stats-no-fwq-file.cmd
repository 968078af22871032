printf '%s\n' 1 2 three >f.dat
noisefloor stats f.dat

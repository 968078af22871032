printf '%s\n' 30 10 10 14 >f.dat
noisefloor stats f.dat

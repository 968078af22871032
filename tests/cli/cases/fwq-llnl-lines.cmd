noisefloor fwq -c "$CPU" -n 3 -w 2^10 -o f.dat --format llnl | head -5
noisefloor --quiet fwq -c "$CPU" -n 3 -w 1000 -o g.dat --format llnl
noisefloor --quiet stats f.dat g.dat && wc -l <f.dat

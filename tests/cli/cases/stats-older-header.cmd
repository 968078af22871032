printf '%s\n' 'Speed Process 7 cycles 100 seconds 0.1 GHz 1.000000' 'Process 7 running on CPUs 0-2,4' 1000 2000 3000 >f.dat
noisefloor stats f.dat

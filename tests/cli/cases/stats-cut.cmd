printf 'Thread 0 running on CPUs 0\n100\n200\n30' >f.dat
noisefloor stats f.dat

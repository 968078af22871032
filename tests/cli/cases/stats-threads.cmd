printf '%s\n' 'Speed: thread 0, cycles 200, seconds 0.1, GHz 2.000000' \
	'Speed: thread 1, cycles 400, seconds 0.1, GHz 4.000000' \
	'Thread 0 running on CPUs 3' 2000 4000 4000 40000 'Thread 1 running on CPUs 5' 9000 8000 8000 8400 >f.dat
noisefloor stats f.dat

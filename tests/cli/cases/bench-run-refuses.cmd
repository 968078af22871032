noisefloor bench run; echo $?
noisefloor bench run -- nf-no-such-program; echo $?
noisefloor bench run --filter '^nothing$'; echo $?
noisefloor bench run --filter '^clock' -- true; echo $?
noisefloor bench run --filter '^clock.rdtsc$' --threads 2000; echo $?
noisefloor bench run --threads 2 -- true; echo $?
noisefloor bench run --shell true false; echo $?
noisefloor bench run --sets 0 -- true; echo $?
NOISEFLOOR_BENCH_SETS=many noisefloor bench run -- true; echo $?
NOISEFLOOR_BENCH_ITERS=0 noisefloor bench run --filter clock; echo $?
ls
noisefloor bench run --input no-such-file -- cat; echo $?
noisefloor bench run --input . -- cat; echo $?
noisefloor bench run --input no-such-file --filter '^clock.monotonic$'; echo $?
mkfifo waits; noisefloor bench run --input waits -- cat; echo $?
noisefloor bench run --sets 2 -- touch was-run >&-; echo $?
noisefloor bench sweep --env A=1,2 --sets 2 -- touch was-run >&-; echo $?
ls

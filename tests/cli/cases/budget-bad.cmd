printf "period = 4ms\nmax_jitter = soon\n" >b.txt
noisefloor wake --budget b.txt

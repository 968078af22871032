noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor --quiet clock -c "$CPU" -d 100ms
noisefloor evidence diff runs/*-fwq runs/*-clock | head -n 2
noisefloor evidence diff runs/*-fwq nowhere

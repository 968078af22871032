noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
head -c -8 runs/*/samples/fwq.nfsamples >cut.nfsamples
noisefloor --quiet stats cut.nfsamples

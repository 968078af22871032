noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor samples runs/*/samples/fwq.nfsamples

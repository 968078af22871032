noisefloor --quiet fwq -c "$CPU" -n 2 --quantum 50us
noisefloor samples --csv --unit ns runs/*/samples/fwq.nfsamples

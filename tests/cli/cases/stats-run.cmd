noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor stats runs/*
noisefloor stats runs/*/samples/fwq.nfsamples >b
noisefloor stats runs/* | cmp - b

noisefloor --quiet wake -c "$CPU" -n 2 --policy other
noisefloor samples runs/*/samples/wake.nfsamples

noisefloor --quiet fwq -c "$CPU" -n 2 --quantum 50us
noisefloor samples --stream x runs/*/samples/fwq.nfsamples

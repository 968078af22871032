noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
f=$(echo runs/*/samples/fwq.nfsamples)
head -c -8 "$f" >cut.nfsamples
noisefloor samples cut.nfsamples

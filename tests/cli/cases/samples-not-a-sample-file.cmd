echo "not samples" >x.nfsamples
noisefloor samples x.nfsamples

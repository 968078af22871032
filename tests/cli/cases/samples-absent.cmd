noisefloor samples nowhere.nfsamples

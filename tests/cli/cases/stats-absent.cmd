noisefloor stats nowhere.dat

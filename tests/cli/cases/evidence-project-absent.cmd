noisefloor evidence project nowhere.txt

noisefloor wake --budget nowhere.txt

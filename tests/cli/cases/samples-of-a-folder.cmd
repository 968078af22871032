mkdir d
noisefloor samples d

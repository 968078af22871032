mkdir d
noisefloor stats d

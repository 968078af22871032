noisefloor posture --root $HOSTS/server-2node-rt --advise

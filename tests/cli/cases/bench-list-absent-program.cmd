noisefloor bench list --program /no/such/program

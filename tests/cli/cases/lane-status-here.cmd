noisefloor lane status | sed 's/ .*//' | head -5

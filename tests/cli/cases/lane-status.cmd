cd $HOSTS
noisefloor lane status --root lanes

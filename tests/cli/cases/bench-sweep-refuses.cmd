noisefloor bench sweep; echo $?
noisefloor bench sweep --env A=1,2; echo $?
noisefloor bench sweep --env A=1 -- true; echo $?
noisefloor bench sweep --env A=1,1 -- true; echo $?
noisefloor bench sweep --env 1A=1,2 -- true; echo $?
noisefloor bench sweep --arg N=1,2 -- true; echo $?
noisefloor bench sweep --env A=1,2 --base A=3 -- true; echo $?
noisefloor bench sweep --env A=1,2 --point A=1 --point A=2 -- true; echo $?
noisefloor bench sweep --point A=1 --point B=2 -- true; echo $?
noisefloor bench sweep --env A=1,2 --workers B -- true; echo $?
noisefloor bench sweep --env A=1,2 --delta 0 -- true; echo $?
noisefloor bench sweep --env A=1,2 -- nf-no-such-program; echo $?
noisefloor bench sweep --env A=1,2 --filter '^sync'; echo $?
noisefloor bench sweep --env A=1,2 --filter '^sync.mutex$' -- true; echo $?
noisefloor bench sweep --arg N=1,2 --filter '^sync.mutex$'; echo $?
noisefloor bench sweep --env A=1,2 --resume none -- true; echo $?
echo here >out.csv
noisefloor bench sweep --env A=1,2 --csv out.csv -- true; echo $?
noisefloor bench sweep --env A=1,2 --csv none/out.csv -- true; echo $?
cat out.csv
ls

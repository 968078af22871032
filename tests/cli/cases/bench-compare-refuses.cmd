noisefloor bench compare true; echo $?
noisefloor bench compare true nf-no-such-program; echo $?
noisefloor bench compare true 'true | cat'; echo $?
noisefloor bench compare true 'echo "x'; echo $?
noisefloor bench compare true ''; echo $?
noisefloor bench compare --delta 0 true true; echo $?
noisefloor bench compare --alpha 50% true true; echo $?
noisefloor bench compare --sets 4 --max-time 1h --quiet true true; echo $?
noisefloor bench compare --filter clock true true; echo $?
noisefloor bench compare --old-program /bin/true true true; echo $?
ls

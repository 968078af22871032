noisefloor lab shell; echo $?
noisefloor lab shell b.yaml; echo $?
noisefloor lab shell nf-no-such-file -- true; echo $?
noisefloor lab shell --timeout never nf-no-such-file -- true; echo $?
printf 'board: {}\n' >b.yaml; noisefloor lab shell b.yaml -- true; echo $?

noisefloor lab power; echo $?
noisefloor lab power b.yaml; echo $?
noisefloor lab power nf-no-such-file on; echo $?
noisefloor lab power nf-no-such-file reset; echo $?
printf 'board: {}\n' >b.yaml; noisefloor lab power b.yaml on; echo $?

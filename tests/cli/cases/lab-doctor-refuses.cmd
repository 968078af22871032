noisefloor lab doctor; echo $?
noisefloor lab doctor nf-no-such-port; echo $?
noisefloor lab doctor /dev/null; echo $?
noisefloor lab doctor tcp:localhost:65536; echo $?
noisefloor lab doctor unix:nf-no-such-socket; echo $?
printf 'board: {}\n' >b.yaml; noisefloor lab doctor b.yaml; echo $?
noisefloor lab doctor --baud 9600 b.yaml; echo $?

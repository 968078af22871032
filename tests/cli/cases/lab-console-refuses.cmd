noisefloor lab console; echo $?
noisefloor lab console nf-no-such-port; echo $?
noisefloor lab console /dev/nf-no-such-port; echo $?
noisefloor lab console /dev/null; echo $?
noisefloor lab console unix:nf-no-such-socket; echo $?
noisefloor lab console tcp:fe80::1:7; echo $?
noisefloor lab console tcp:localhost:99999; echo $?
noisefloor lab console --interactive /dev/nf-no-such-port; echo $?
printf 'board: {}\n' >b.yaml; noisefloor lab console b.yaml; echo $?
noisefloor lab console --baud 9600 b.yaml; echo $?
rm b.yaml
noisefloor lab console --baud 7 /dev/ttyS0; echo $?
noisefloor lab console --interactive --json /dev/ttyS0; echo $?
mkdir empty && noisefloor lab console empty; echo $?
ls

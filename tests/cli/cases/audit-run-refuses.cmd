noisefloor audit run; echo $?
noisefloor audit run -- nf-no-such-program; echo $?
noisefloor audit run --baud 0 -- true; echo $?
true | noisefloor audit run --syscalls -- true; echo $?
ls

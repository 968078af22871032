printf '[    0.000000] Linux version 6\n[    0.100000] x\n' >printk.log
printf 'hello\n' >plain.log
printf '0.5\tgo\n' >d.log
mkdir empty
noisefloor lab phases nowhere; echo $?
noisefloor lab phases empty; echo $?
noisefloor lab phases printk.log; echo $?
noisefloor lab phases plain.log; echo $?
noisefloor lab phases d.log --format tio; echo $?
noisefloor lab phases d.log --format nothing; echo $?
noisefloor lab phases d.log --phase up; echo $?
noisefloor lab phases d.log --phase 'up=('; echo $?
noisefloor lab phases d.log --phase t0=x; echo $?
noisefloor lab phases d.log --phase a=x --phase a=y; echo $?
noisefloor lab phases d.log --value a=x --unit b=us; echo $?
noisefloor lab phases d.log --platform cloud; echo $?
noisefloor lab phases d.log --base none; echo $?
noisefloor lab phases d.log --t0 never --phase up=x | tail -n 3; echo ${PIPESTATUS[0]}

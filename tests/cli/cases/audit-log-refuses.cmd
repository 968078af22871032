printf '0.1\tx\n' > board_run1.log
noisefloor audit log; echo $?
noisefloor audit log absent --phase a=b; echo $?
noisefloor audit log board_run1.log; echo $?
noisefloor audit log board_run1.log --phase up; echo $?
noisefloor audit log board_run1.log --phase t0=x; echo $?
noisefloor audit log board_run1.log --phase 'a=('; echo $?
noisefloor audit log board_run1.log --phase a=b --format no; echo $?
noisefloor audit log board_run1.log --phase a=b --top 0; echo $?

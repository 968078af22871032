printf '%s\n' '0.000	U-Boot' '0.100	Starting kernel' '0.200	[    0.1] drv: port 1 up' '0.300	[    0.2] drv: port 22 up' '0.400	a line that is rather long and that nobody needed in here' '1.400	login: ' > board_run1.log
printf '%s\n' '0.000	Starting kernel' '0.200	[    0.1] drv: port 1 up' '0.900	login: ' > board_run2.log
noisefloor audit log . --t0 'Starting kernel' --phase up=login: --baud 9600; echo $?
noisefloor audit log . --t0 'Starting kernel' --phase up=login: --baud 9600 --top 1 | tail -4
noisefloor audit log . --t0 'Starting kernel' --phase up=never; echo $?
noisefloor --json audit log . --t0 'Starting kernel' --phase up=login: > a.json; noisefloor evidence check a.json
ls

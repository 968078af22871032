mkdir logs again
printf '0.1\tU-Boot 2023.01\n0.5\tStarting kernel ...\n1.0\t[    0.000000] Linux version 6\n1.2\t[    0.200000] panic soon\n3.0\tU-Boot 2023.01\n3.5\tStarting kernel ...\n4.0\t[    0.000000] Linux version 6\n9.0\tb login: \n' >logs/reset_run1.log
printf '0.1\tU-Boot 2023.01\n0.5\tStarting kernel ...\n1.0\t[    0.000000] Linux version 6\n4.0\tb login: \n' >logs/reset_run2.log
printf 'Meeting notes\nnothing here\n' >logs/notes.txt
printf '# config=bad\n# status=FAIL\n0.5\tStarting kernel ...\n1.0\tb login: \n' >logs/bad_run1.log
noisefloor lab phases logs --t0 'Starting kernel' --phase login='login:'; echo $?
noisefloor --strict --quiet lab phases logs --t0 'Starting kernel' --phase login='login:'; echo $?
noisefloor --strict --quiet lab phases logs/reset_run2.log --t0 'Starting kernel' --phase login='login:'; echo $?
noisefloor lab phases logs/notes.txt --t0 'Starting kernel' --phase login='login:'; echo $?
mv logs/notes.txt again; noisefloor lab phases again --t0 'Starting kernel' --phase login='login:'; echo $?

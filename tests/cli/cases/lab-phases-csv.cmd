printf '0.5\tgo\n0.75\tx, "y"\n1.75\tlogin: \n' >d_run7.log
noisefloor lab phases --csv d_run7.log --t0 go --phase up=login:

noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
echo x >>runs/*/captures/proc_cmdline.txt
noisefloor evidence check runs >out
code=$?
grep damaged out
exit $code

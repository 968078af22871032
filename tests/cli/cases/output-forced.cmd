echo old >values.txt
noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 10us -o values.txt --force && cat values.txt && ls

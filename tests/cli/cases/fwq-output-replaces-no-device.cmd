mkfifo pipe; ln -s there link; : > there
for o in pipe link; do noisefloor fwq -n 50 --work 1000 -o $o --force; echo "$o: $?"; done
test -p pipe && test -L link && echo "as before"

echo precious >values.txt
noisefloor fwq -n 5 --quantum 10us -o values.txt
code=$?
cat values.txt
ls
exit $code

noisefloor fwq -n 5 --quantum 10us -o nowhere/values.txt
code=$?
ls
exit $code

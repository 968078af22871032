noisefloor bench regress --save-baseline base.json --sessions 6 --sets 2 -- sleep 0.01
echo $?

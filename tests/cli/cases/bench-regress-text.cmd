noisefloor --quiet bench regress --save-baseline base.json --sessions 3 --commit 0123456789abcdef --sets 6 --name nap -- sleep 0.01
noisefloor bench regress --any-machine --baseline base.json --sets 6 --name nap -- sleep 0.2
echo $?

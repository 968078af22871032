noisefloor --quiet bench regress --save-baseline base.json --sessions 3 --sets 3 -- true; echo $?
sed 's/"cpu_model": .*,/"cpu_model": "Abacus",/' base.json > other.json
noisefloor bench regress --baseline other.json -- true; echo $?
noisefloor --quiet bench regress --any-machine --baseline other.json --delta 100% --sets 3 -- true; echo $?
ls

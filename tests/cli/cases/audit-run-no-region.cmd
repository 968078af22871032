noisefloor audit run -- echo hello; echo $?
noisefloor --quiet audit run -- sh -c 'exit 7'; echo $?
noisefloor --quiet audit run --any-status -- sh -c 'exit 7'; echo $?
noisefloor --quiet audit run -- sh -c 'kill -SEGV $$'; echo $?
noisefloor evidence check runs/* | grep -c '^complete runs/[^/]*$'

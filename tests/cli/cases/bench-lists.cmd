noisefloor --json bench run --sets 2 -L n=1,2 -L 'word=a\,b,c' --setup 'echo set up {word} >> set-up' --output said -- sh -c 'echo {n} {word} {other}' > run.json 2>estimate; echo $?
grep '"label": "sh' run.json
sort set-up | uniq -c
sort said | uniq -c
noisefloor bench run --sets 2 -L n=1,2 --prepare 'test {n} -gt 0' -- true 2>estimate | grep "^true n" | cut -c1-8
echo here > there; noisefloor --quiet bench run --sets 2 --output there -- true; echo $?
noisefloor --quiet bench run --sets 2 --output no/folder -- true; echo $?
noisefloor bench run -L 'n' -- echo {n}; echo $?
noisefloor bench run -L '=1,2' -- echo; echo $?
noisefloor bench run -L n=1,2 -- echo n; echo $?
noisefloor bench run -L n=1 -L n=2 -- echo {n}; echo $?
noisefloor bench run -L n=1,2,3,4,5,6,7,8,9,0,1,2 -L m=1,2,3,4,5,6,7,8,9,0,1,2 -- echo {n} {m}; echo $?
noisefloor bench run --filter clock -L n=1; echo $?
noisefloor bench compare --no-extension --max-time 1h -L t=0.01,0.02 'sleep {t}' 'sleep {t}' 2>&1 | grep -c 't=0'
noisefloor bench run --setup 'exit 3' -- true 2>estimate |  grep FAILED
noisefloor bench run --setup true --filter '^clock.monotonic$'; echo $?
noisefloor bench run --cpus 4000 -- true; echo $?
noisefloor --quiet bench run --sets 2 --cpus $CPU --output where -- grep Cpus_allowed_list /proc/self/status; echo $?
[ "$(sort -u where)" = "Cpus_allowed_list:	$CPU" ] && echo bound
cat there
noisefloor bench run -L n= -- echo {n}; echo $?
noisefloor bench run --sets 2 --setup 'kill -9 $$' -- true 2>estimate | grep FAILED

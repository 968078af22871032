export NOISEFLOOR_BENCH_SETS=6
echo '{"bench":"a b","value":1.5,"unit":"ms"}' >lines
echo '{"bench":"a b","value":2.5,"unit":"ms"}' >>lines
echo '{"bench":"c","value":3,"unit":"MB/s"}' >>lines
grep -v MB/s lines >times
noisefloor bench convert --to go lines
noisefloor bench convert --to hyperfine times >h.json; echo $?; cat h.json
noisefloor bench convert --to lines h.json
noisefloor bench convert --to google times
noisefloor bench convert --from lines --to smaller-is-better times
for to in hyperfine google smaller-is-better; do noisefloor bench convert --to $to lines; echo $?; done
noisefloor bench convert lines; echo $?
noisefloor bench convert --from google --to go h.json; echo $?
noisefloor bench convert --to go --side old lines; echo $?
noisefloor bench convert --to go absent; echo $?
echo hello >text; noisefloor bench convert --to go text; echo $?
run() { noisefloor --quiet bench run "$@"; echo $?; }
run --export go=lines -- true
run --export xml=new -- true
run --export go= -- true
run --export go=new --export google=new -- true
run --export go=absent/new -- true
ls runs
run --report auto --export lines=out.txt --export go=out.go --shell 'cat times'
sort out.txt | uniq -c; grep ^Bench out.go | sort | uniq -c
noisefloor bench convert --to smaller-is-better runs/*-bench_run
run --export google=failed.json --export lines=failed.txt -- false
grep error_ failed.json; ls failed.txt

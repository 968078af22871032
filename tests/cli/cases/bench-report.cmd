export NOISEFLOOR_BENCH_SETS=6
run() { noisefloor bench run "$@" 2>/dev/null >out; echo $?; grep -E '^  (FAILED|median|values)' out; }
run --report lines --shell 'echo hello'
run --report auto --shell 'echo BenchmarkX 10 2 ns/op 3 B/op'
run --report auto --report-bench 'BenchmarkX B/op' --shell 'echo BenchmarkX 10 2 ns/op 3 B/op'
echo BenchmarkX 10 2 ms/op >there
run --report auto --report-file new -- cp there new
cat there; ls new
noisefloor bench run --report auto --report-file there -- cp there here; echo $?
noisefloor bench run --report auto --report-file new -- nf-no-such-program; echo $?
noisefloor bench run --report xml -- true; echo $?
noisefloor bench run --report-file new -- true; echo $?
noisefloor bench run --report auto --filter clock; echo $?
compare() { noisefloor bench compare --report auto --delta 10% "$@" 2>/dev/null >out; echo $?; grep -E '^  (FAILED|medians|change|verdict)' out; }
compare 'echo BenchmarkX 10 2 ns/op' 'echo BenchmarkX 10 2 MB/s'
compare 'echo BenchmarkX 10 2 MB/s' 'echo BenchmarkX 10 1 MB/s'
# Which way is better: what the program says, else its unit, but an option above all.
say() { echo "echo '{\"bench\":\"b\",\"value\":$1,\"unit\":\"$2\"$3}'"; }
larger=',"better":"larger"' smaller=',"better":"smaller"'
lines() { noisefloor bench compare --report lines --delta 10% "$@" 2>/dev/null >out; echo $?; grep -E '^  (FAILED|change|p  |verdict)|larger' out; }
lines "$(say 10 frames)" "$(say 20 frames)"
lines "$(say 10 frames "$larger")" "$(say 20 frames "$larger")"
lines "$(say 10 frames "$larger")" "$(say 5 frames "$larger")"
lines "$(say 10 faults/s "$smaller")" "$(say 20 faults/s "$smaller")"
lines --better larger "$(say 10 frames)" "$(say 20 frames "$smaller")"
lines --better smaller "$(say 10 MB/s)" "$(say 20 MB/s)"
lines "$(say 10 frames "$larger")" "$(say 20 frames)"
run --report lines --shell "$(say 10 frames "$larger")"
noisefloor bench convert --to lines $(ls -d runs/*-bench_run | tail -1) | tail -1
noisefloor bench run --better larger -- true; echo $?
noisefloor bench run --report lines --better more -- true; echo $?
regress() { noisefloor bench regress --sets 3 --report lines "$@" 2>/dev/null >out; echo $?; grep -E '^  (now|verdict)|^            |[Ll]arger is better' out; }
regress --save-baseline base --sessions 3 --name x --shell "$(say 10 frames "$larger")"
regress --any-machine --baseline base --name x --shell "$(say 12 frames "$larger")"
regress --any-machine --baseline base --name x --shell "$(say 5 frames "$larger")"
regress --any-machine --baseline base --name x --shell "$(say 9.5 frames "$larger")" --threshold 10%
regress --any-machine --baseline base --name x --shell "$(say 9 frames "$larger")" --threshold 10%
regress --any-machine --baseline base --name x --shell "$(say 20 frames)"
noisefloor bench sweep --env A=1,2 --sets 8 --report lines --shell 'echo "{\"bench\":\"b\",\"value\":$((A * 10)),\"unit\":\"frames\",\"better\":\"larger\"}"' 2>/dev/null | sed 's/"//g' | grep -E '^(A=|best|worst|Larger|.*worse)'

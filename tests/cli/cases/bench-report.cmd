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

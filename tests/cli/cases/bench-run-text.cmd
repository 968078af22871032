NOISEFLOOR_BENCH_SETS=6 noisefloor bench run -- sleep 0.01
echo $?
noisefloor --quiet bench run --sets 6 -- false
echo $?

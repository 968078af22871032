NOISEFLOOR_BENCH_SETS=5 noisefloor selftest aa --repeats 5 --iters 1 --alpha 20% > out || [ $? = 1 ]
echo $?
cat out

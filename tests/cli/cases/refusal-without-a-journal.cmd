# A refusal is one line also where no journal can be kept.
touch file
export NOISEFLOOR_RUN_DIR=$PWD/file/journal
noisefloor wake --runs file; echo $?
noisefloor fwq -n 1 -t 4096; echo $?
noisefloor hwlat -d 10ms; echo $?
noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us; echo $?

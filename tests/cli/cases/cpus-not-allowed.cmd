# needs: taskset 2cpus
taskset -c "$CPU" noisefloor fwq --cpus "$OTHER"

noisefloor ftq -c "$CPU" -d 1s --max-sample-bytes 39999

noisefloor fwq -c "$CPU" -n 2 --quantum 10us -s --format csv

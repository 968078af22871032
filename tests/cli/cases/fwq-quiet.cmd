noisefloor --quiet fwq -c "$CPU" -n 20 --quantum 50us && ls runs/*/MANIFEST | wc -l

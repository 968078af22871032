noisefloor --no-color fwq -c "$CPU" -n 20 --quantum 50us --tag golden

noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor evidence check runs | grep -v captures/

noisefloor fwq -c "$CPU" -n 2 --quantum 50us --quiet --runs here && ls here | wc -l

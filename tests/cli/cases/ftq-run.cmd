noisefloor --no-color ftq -c "$CPU" -d 500ms --tag golden

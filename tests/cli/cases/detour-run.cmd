noisefloor --no-color detour -c "$CPU" -d 300ms --threshold 500ns --tag golden

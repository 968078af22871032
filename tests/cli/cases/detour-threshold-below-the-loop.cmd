noisefloor detour -c "$CPU" -d 100ms --threshold 1ns

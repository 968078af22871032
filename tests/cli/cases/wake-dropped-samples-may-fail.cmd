noisefloor --quiet wake -c "$CPU" --policy other -n 20 --max-jitter 0ns --max-sample-bytes 64

noisefloor --json fwq -c "$CPU" -n 20 --quantum 50us >out.json && cmp out.json runs/*/record.json && python3 -m json.tool out.json >/dev/null && echo same

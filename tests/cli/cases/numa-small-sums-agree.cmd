for seed in 1 2 3 4 5 6 7 8; do noisefloor --quiet numa --channels 5 --samples 1 --seed $seed -r 3 || echo "seed $seed: $?"; done

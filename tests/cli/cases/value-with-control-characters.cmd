noisefloor fwq --kernel $'a\nb'

noisefloor fwq $'a\nb\e[31m'

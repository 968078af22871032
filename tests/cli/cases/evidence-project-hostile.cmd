printf -- '-- SMI Activity --\r\n\033[31mSMI count: 3 in 10s\033[0m\000\377\r\n' >x.txt
noisefloor evidence project --trace x.txt
head -c 5000000 /dev/zero >big.txt
noisefloor evidence project big.txt

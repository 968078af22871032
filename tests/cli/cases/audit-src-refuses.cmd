mkfifo f
echo 'int a;' >a.c
noisefloor audit src; echo "exit $?"
noisefloor audit src absent; echo "exit $?"
noisefloor audit src f; echo "exit $?"
noisefloor audit src --begin '(' --end x a.c; echo "exit $?"
noisefloor audit src --begin x a.c; echo "exit $?"
mkdir e
noisefloor audit src e; echo "exit $?"

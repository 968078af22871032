noisefloor bench regress true; echo $?
noisefloor bench regress --baseline absent.json -- true; echo $?
echo '{}' > other.json; noisefloor bench regress --baseline other.json -- true; echo $?
echo 'no JSON' > text.json; noisefloor bench regress --save-baseline text.json -- true; echo $?
cat text.json
noisefloor bench regress --save-baseline no/such/folder.json -- true; echo $?
noisefloor bench regress --save-baseline /dev/full -- true; echo $?
noisefloor bench regress --save-baseline a.json -- nf-no-such-program; echo $?
noisefloor bench regress --save-baseline a.json --filter '^nothing$'; echo $?
noisefloor bench regress --save-baseline a.json; echo $?
noisefloor bench regress --sessions 3 true true; echo $?
noisefloor bench regress --baseline a.json --save-baseline b.json -- true; echo $?
noisefloor bench regress --threshold 10% true true; echo $?
noisefloor bench regress --baseline a.json --threshold 2000% -- true; echo $?
noisefloor bench regress --baseline a.json --old-program /bin/true -- true; echo $?
ls

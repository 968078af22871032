noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
set -- runs/*
sed -i 's,"NoiseRun/1","NoiseRun/9",' "$1/record.json"
sed -i '/record.json/d' "$1/MANIFEST"
(cd "$1" && sha256sum record.json >>MANIFEST && LC_ALL=C sort -k 2 -o MANIFEST MANIFEST)
noisefloor evidence check "$1" "$2" >out
code=$?
grep -e /record.json -e samples/ -e "^[a-z]*  *[^ ]*-fwq\(-2\)*\(:.*\)*$" out
exit $code

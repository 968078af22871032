# needs: ssh-keygen
noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
mv runs/* run; rm -r run/derived
ssh-keygen -q -t ed25519 -N '' -C '' -f -key; ssh-keygen -q -t ed25519 -N '' -C '' -f 'other $(key)'
echo "lab@example.org $(cat ./-key.pub)" >signers
noisefloor evidence verify run -a signers
echo "unsigned $?"
noisefloor evidence sign run -k ./nothing
noisefloor evidence sign run
noisefloor evidence sign run -k signers
noisefloor evidence sign run --key=-key
noisefloor evidence sign run --key=-key
noisefloor evidence check run | tail -1
noisefloor evidence verify run -a signers
echo "signed $?"
noisefloor evidence verify run -a signers -I lab@example.org --json
noisefloor evidence verify run -a signers -I other@example.org
echo "another's name $?"
echo "lab@example.org $(cat ./other*.pub)" >others
noisefloor evidence verify run -a others
echo "another's key $?"
noisefloor evidence verify run -a nowhere
PATH=$(dirname "$(command -v noisefloor)") noisefloor evidence verify run -a signers
echo "no ssh-keygen $?"
ssh-keygen -q -Y sign -n file -f ./-key <run/MANIFEST >run/derived/MANIFEST.sig 2>/dev/null
noisefloor evidence verify run -a signers
echo "for another purpose $?"
rm run/derived/MANIFEST.sig; noisefloor --quiet evidence sign run --key=-key
cp -r run moved; echo x >>moved/captures/proc_cmdline.txt
noisefloor evidence verify moved -a signers
echo "a file changed $?"
(cd moved && sed -i '/record.json/!d' MANIFEST && sha256sum $(find captures samples record.dhall -type f) >>MANIFEST && LC_ALL=C sort -k 2 -o MANIFEST MANIFEST)
noisefloor evidence check moved | tail -1
noisefloor evidence verify moved -a signers
echo "MANIFEST changed $?"
rm moved/derived/*; rm moved/record.json; noisefloor evidence sign moved --key=-key
rm moved/MANIFEST; noisefloor evidence sign moved --key=-key
noisefloor evidence sign run/MANIFEST --key=-key

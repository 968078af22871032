noisefloor --quiet --runs . fwq -n 50 --work 1000 --tag t; d=$(echo *-t)
truncate -s 100G $d/record.json; noisefloor evidence check $d | grep -E '^[^ ]*(damaged|record.json)' | head -1 | sed 's/^.*record.json/record.json/'; echo "${PIPESTATUS[0]}"
rm $d/MANIFEST; mkdir $d/MANIFEST; noisefloor evidence check $d >/dev/null; echo "$?"

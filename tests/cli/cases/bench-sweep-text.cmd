noisefloor bench sweep --env A=1,2 --arg T=0.002,0.012 --sets 12 --csv out.csv -- sleep '{T}'
echo $?
cat out.csv
noisefloor --quiet bench sweep --arg S=0,3 --sets 2 -- sh -c 'exit {S}'
echo $?

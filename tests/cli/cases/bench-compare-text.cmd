noisefloor bench compare --no-extension --name nap 'sleep 0.01' 'sleep 0.03'
echo $?
noisefloor --quiet bench compare --sets 8 'sleep 0.01' 'sh -c "exit 3"'
echo $?

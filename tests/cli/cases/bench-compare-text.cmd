noisefloor bench compare --no-extension --name nap 'sleep 0.01' 'sleep 0.03' >out
cat_exit=$?; grep -v '^  left out' out; (exit $cat_exit)
echo $?
noisefloor --quiet bench compare --sets 8 'sleep 0.01' 'sh -c "exit 3"'
echo $?

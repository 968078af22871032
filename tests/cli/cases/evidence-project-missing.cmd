sed '/HostNumaProbe/,$d' $CAPTURES/probe.txt >probe.txt
noisefloor evidence project --to csv probe.txt | grep -E '^(host_probe|missing)' 
exit ${PIPESTATUS[0]}

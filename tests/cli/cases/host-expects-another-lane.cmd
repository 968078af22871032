noisefloor posture | grep -q "^realtime  *yes" && other=generic || other=rt
noisefloor host --expect-lane $other
code=$?
ls
exit $code

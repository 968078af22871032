noisefloor --quiet fwq -c "$CPU" -n 3 --quantum 50us
noisefloor evidence redact runs/*-fwq -o shared
noisefloor evidence check shared | tail -1
noisefloor evidence redact runs/*-fwq
noisefloor evidence redact runs/*-fwq -o shared
noisefloor evidence redact nowhere -o x
noisefloor evidence redact runs/*-fwq/record.json -o x
noisefloor evidence redact runs/*-fwq -o ..
echo x >>runs/*-fwq/record.json; noisefloor evidence redact runs/*-fwq -o x
ls -A

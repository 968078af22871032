# needs: devfull
noisefloor --help >/dev/full

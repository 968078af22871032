noisefloor --json samples --csv x

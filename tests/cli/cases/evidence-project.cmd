cp $CAPTURES/probe.txt $CAPTURES/window.txt .
noisefloor evidence project --owner-issue T-1 --note 'by hand' probe.txt window.txt | tee r.dhall | tail -n +43
noisefloor evidence check r.dhall

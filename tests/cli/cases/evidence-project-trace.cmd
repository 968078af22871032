cp $CAPTURES/validator.txt $CAPTURES/smi.txt .
noisefloor evidence project --trace validator.txt smi.txt

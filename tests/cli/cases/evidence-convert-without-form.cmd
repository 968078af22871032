echo 1 >v.dhall
noisefloor evidence convert v.dhall

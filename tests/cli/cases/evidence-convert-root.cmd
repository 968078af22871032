mkdir -p a/b
echo 1 >one.dhall
echo '[ ../../one.dhall ]' >a/b/v.dhall
noisefloor evidence convert --to json --root . a/b/v.dhall
noisefloor evidence convert --to json --root a a/b/v.dhall

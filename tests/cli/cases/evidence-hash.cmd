echo '{ b = 1, a = "x" }' >one.dhall
echo 'let x = 1 in { a = "x", b = x } -- the same' >two.dhall
noisefloor evidence hash one.dhall
noisefloor evidence hash two.dhall
noisefloor --json evidence hash two.dhall

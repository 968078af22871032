echo '{ a = 1 } : { a : Natural }' >good.dhall
echo '{ a = 1 } : { a : Text }' >bad.dhall
echo '{ a : Natural }' >type.dhall
noisefloor evidence check good.dhall type.dhall bad.dhall

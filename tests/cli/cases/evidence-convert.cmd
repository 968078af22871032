mkdir types
echo '{ a : Natural, b : Optional Text, e : < P | F > }' >types/t.dhall
echo 'let T = ./types/t.dhall in { a = 1, b = None Text, e = < P | F >.F } : T' >v.dhall
noisefloor evidence convert --to json v.dhall
noisefloor evidence show v.dhall

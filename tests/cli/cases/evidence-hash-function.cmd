echo '\(x : Bool) -> x' >f.dhall
noisefloor evidence hash f.dhall

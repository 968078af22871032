printf '{ a = 1\n, b = ?\n}\n' >bad.dhall
noisefloor evidence hash bad.dhall
noisefloor evidence hash --show-line bad.dhall

echo '{ a = 1 }' >v.dhall
noisefloor --runs x evidence --json hash v.dhall
noisefloor evidence hash --json v.dhall
noisefloor evidence --root . hash v.dhall

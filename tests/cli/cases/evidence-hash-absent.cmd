noisefloor evidence hash nowhere.dhall

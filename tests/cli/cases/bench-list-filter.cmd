noisefloor bench list --filter '^sync.*(pipe|mutex)'

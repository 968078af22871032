noisefloor bench list --filter '('

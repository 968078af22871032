noisefloor wake --policy other --priority 10

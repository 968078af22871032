noisefloor wake --policy fifo --priority 100

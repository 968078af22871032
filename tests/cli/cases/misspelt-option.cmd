noisefloor wake --perod 4ms

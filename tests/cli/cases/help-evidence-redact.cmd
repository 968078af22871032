noisefloor evidence redact --help

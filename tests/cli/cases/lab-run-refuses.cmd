# Nothing is switched: the switch would make a file.
noisefloor lab run; echo $?
noisefloor lab run nf-no-such-file; echo $?
printf 'board: {}\n' >b.yaml; noisefloor lab run b.yaml; echo $?
campaign() {
	printf 'board:\n  name: %s\n  console: { device: /dev/null }\n' "$1"
	printf '  power: { driver: command, on: [ touch, on ], off: [ touch, off ] }\n'
	printf 'configs:\n  - { name: one, done: up }\n  - { name: two, done: up }\n'
}
campaign b >b.yaml
noisefloor lab run b.yaml; echo $?
noisefloor lab run --dry-run b.yaml; echo $?
noisefloor lab run --dry-run --config three b.yaml; echo $?
noisefloor lab run --resume . b.yaml; echo $?
noisefloor lab run b.yaml b.yaml; echo $?
noisefloor lab run b.yaml --runs 0; echo $?
noisefloor lab run b.yaml --runs; echo $?
sed 's/up/"("/' b.yaml >regex.yaml; noisefloor lab run regex.yaml; echo $?
sed 's/null/nf-none/' b.yaml >gone.yaml; noisefloor lab run gone.yaml; echo $?
sed 's/touch/nf-no-such-command/' b.yaml >cmd.yaml; noisefloor lab run cmd.yaml; echo $?
sed 's/done: up/done: up, tries: 3/' b.yaml >key.yaml; noisefloor lab run key.yaml; echo $?
ls

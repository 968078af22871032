noisefloor bench sweep none.yaml; echo $?
try() { printf "$1" >s.yaml; noisefloor bench sweep s.yaml; echo $?; }
try 'command: true\ngrids: { A: [1, 2] }\n'
try 'command: true\ncommand: false\n'
try 'command: true\n'
try 'grid: { A: [1, 2] }\n'
try 'command: true\nshell: true\ngrid: { A: [1, 2] }\n'
try 'command: true\ngrid: { A: [1, 2] }\nsets: 0\n'
try 'command: true\ngrid: { A: [1, 2] }\nmax_time: 60\n'
try 'command: true\ngrid: { A: &a [1, 2], B: *a }\n'
try 'command: true\ngrid: { A: [1, [2]] }\n'
try 'command: true\ngrid: { A: [1, 2]\n'
try 'command: true | cat\ngrid: { A: [1, 2] }\n'
try 'command: "echo {N}"\ngrid: { M: [1, 2] }\nknobs: { M: arg }\n'
try 'benchmark: { name: none }\ngrid: { A: [1, 2] }\n'
try 'command: true\ngrid: { A: [1, 1] }\n'
try 'command: true\n\tgrid: 1\n'
printf 'command: true\ngrid: { A: [1, 2] }\n' >s.yaml
noisefloor bench sweep s.yaml --prepare true; echo $?
noisefloor bench sweep s.yaml other.yaml; echo $?
ls

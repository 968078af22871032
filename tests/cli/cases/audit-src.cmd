mkdir -p tree/include/conf
printf '#ifndef CONF_H\n#define CONF_H\n#define TRACE (0x0u) /* off */\n#endif\n' >tree/include/conf/conf.h
printf '#include <conf/conf.h>\n#if defined TRACE || defined(OTHER)\nint a;\n#endif\n' >tree/a.c
printf '#ifdef Y\n#define X 1\n#else\n#define X 0\n#endif\n#ifndef X\nint b;\n#endif\n' >tree/b.c
printf 'int f(void)\n{\n\tlong t = rdtsc();\n\tputs("x");\n\treturn rdtsc() - t;\n}\n' >tree/c.c
printf '#define M_A 0\n#define M_B 1\n#ifdef M_A\nint c;\n#endif\n' >tree/d.c
printf 'a\0b' >tree/e.h
ln -s .. tree/loop
noisefloor audit src tree

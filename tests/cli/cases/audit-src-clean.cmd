printf '#ifndef A_H\n#define A_H 0\n#ifndef X\n#define X 0\n#endif\n#if X\nint a;\n#endif\n#endif\n' >a.h
noisefloor audit src ./a.h . && noisefloor --quiet audit src a.h

printf '#define X 0\n#ifdef X\nint a;\n#endif\nint f(void)\n{\n\tSTART;\n\tif (a)\n\t\tputs("x");\n\tputs("y");\n\tSTOP;\n}\n' >a.c
noisefloor --json audit src --all --begin START --end STOP a.c >a.json
echo "exit $?"
python3 -c '
import json
r = json.load(open("a.json"))
print(r["schema"], r["complete"], r["paths"], r["files"]["read"], r["zeros"], r["tests"], r["names"], r["timed_regions"])
print(r["macros"])
for p in r["prints"]:
    print(p)
print(r["uncertain_macros"], r["uncertain_prints"])'
noisefloor evidence check a.json

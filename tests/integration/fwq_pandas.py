#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fwq_pandas: fwq-stats against pandas, for files of every size and kind of number: what is printed is the same
text. The script's way: the first sample of each worker dropped, all at the last GHz, microseconds,
describe() of the workers with the least and the largest std."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import pandas
except ImportError:
    print("1..0 # SKIP python3-pandas: is not installed")
    sys.exit(1 if "python3-pandas" in os.environ.get("NF_REQUIRE", "").split(",") else 0)

FWQ_STATS = str(pathlib.Path(os.environ["NF_BIN"]).with_name("fwq-stats"))


def make(rng):
    """Workers by number, and the rate of each."""
    numbers = rng.sample(range(rng.choice([3, 30, 12345])), rng.choice([2, 2, 3]))
    n = rng.choice([4, 5, 50, 2000])
    base = rng.choice([1, 40, 34000, 2600000, 10**7])
    spread = rng.choice([1, 2, 300, 10**6, 10**9])
    workers = {k: [base + rng.randrange(spread) * rng.randrange(3) for _ in range(n)] for k in numbers}
    for v in workers.values():
        if rng.random() < 0.3:
            v[0] = 10**9  # what is dropped
        v[1], v[2] = base, base + 1 + rng.randrange(spread)  # nothing is constant: std orders them
    return workers, {k: rng.choice([2.599891, 2.893303, 0.024007, 3.191917]) for k in numbers}


def write(path, workers, ghz, word):
    with open(path, "w") as f:
        for k in workers:
            f.write(f"Speed: {word}, cycles 1, seconds 0.000001, GHz {ghz[k]:f}\n".replace("N", str(k)))
        for k, v in workers.items():
            f.write(f"{word.capitalize()} running on CPUs {k % 64}\n".replace("n running", "N running").replace("N", str(k), 1))
            f.write("".join(f"{x}\n" for x in v))


def script(path, workers, ghz):
    last = list(ghz.values())[-1]
    frame = pandas.DataFrame(workers)[1:] / (last * 1000)
    std = frame.std()
    lo, hi = std.idxmin(), std.idxmax()
    text = f"{path}\n"
    for k in (lo, hi):
        text += f"Worker  {k} on CPUs {k % 64} with std {std[k]:.4f}\n"
    return text + (frame[[lo, hi]].describe().to_string() if lo != hi else "") + "\n", lo != hi


def main():
    rng = random.Random(1)
    same = 0
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        for i in range(150):
            workers, ghz = make(rng)
            word = rng.choice(["thread N", "process N"])
            write("f.dat", workers, ghz, word)
            want, two = script("f.dat", workers, ghz)
            if not two:
                continue
            got = subprocess.run([FWQ_STATS, "f.dat"], capture_output=True, text=True, check=True).stdout
            if got != want:
                print(f"# case {i}\n# want\n# " + want.replace("\n", "\n# ") + "\n# got\n# " + got.replace("\n", "\n# "))
                print(f"not ok 1 - case {i} differs from pandas {pandas.__version__}\n1..1")
                return 1
            same += 1
    print(f"{'ok' if same > 100 else 'not ok'} 1 - {same} files are printed as pandas {pandas.__version__} prints them\n1..1")
    return 0


sys.exit(main())

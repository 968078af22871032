# Two configurations of look-alikes: a reader that wakes up every tenth of a second, and what is odd in it.
python3 - <<'P'
import random
def log(config, run, extra, seed):
    r = random.Random(seed)
    t, out = 0.0, [f"# config={config} run={run} status=OK", "# t\ttext"]
    def say(text, wait=0.0):
        nonlocal t
        t += wait + (len(text) + 2) / 11520
        out.append(f"{int(t * 10) / 10 + 0.1 + int(t) * 1e-4:9.4f}\t{text}")
    say("U-Boot 2022.10")
    say("booting...Running test VM (first)", 0.4)
    if extra:
        for text in ("Caught cap fault at address 0", "With stack:", "0x10: 0x20", "0x18: 0x28", "0x20: 0x1"):
            say(text)
    say("[    0.000000] Linux version 6.1 (x@y)", 0.9 if extra else 0.1)
    say("[    0.000000] Kernel command line: console=ttyX0,115200n8")
    for i in range(200):
        say(f"[    0.{1000 * i:06d}] driver {i}: " + "x" * r.randint(20, 50))
    say("[    0.900000] Run /init as init process")
    say("US>8173 (diff=196167 frq=24000000)", 0.1)
    say("US>10228 (diff=245464 frq=24000000)")
    say("\rboard login: ", 5.2 if extra else 0.4)
    return "\n".join(out) + "\n"
for run in (1, 2, 3):
    for config, extra in (("tracked", True), ("untracked", False)):
        open(f"{config}_run{run}.log", "w").write(log(config, run, extra, run))
P
noisefloor lab phases . --t0 'Running test VM' --phase p1='Linux version ' --phase p3='Run /init as' --phase p4='login:' --value spawn='US>(\d+)' --unit us --base untracked

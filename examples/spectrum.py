#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The spectrum of `noisefloor ftq` computed again, from the samples and in double precision:

    noisefloor samples RUN/samples/ftq.nfsamples --stream ftq.cpu0 | examples/spectrum.py QUANTUM_NS [FIELD [HZ]]

prints the record's spectrum as JSON, one field of it, or that field of the line at HZ. What is computed
is described in docs/METHOD.md; nothing here comes from the program but the samples."""
import bisect
import cmath
import json
import math
import statistics
import sys

REACH, LOBE, FEWEST, LEVEL, LEAST = 128, 2, 9, 0.01, 1e-12
HARMONIC, NEAR, MISSES, NAMED = 5, 0.75, 4, 16


def length(n):
    """The longest even length up to n without prime factors over 5."""
    for m in range(n - n % 2, 0, -2):
        rest = m
        for p in (2, 3, 5):
            while rest % p == 0:
                rest //= p
        if rest == 1:
            return m
    return 0


def fft(x):
    n = len(x)
    p = next((p for p in (2, 3, 5) if n % p == 0), None)
    if p is None:
        return x
    parts = [fft(x[r::p]) for r in range(p)]
    m = n // p
    turn = [cmath.exp(-2j * math.pi * k / n) for k in range(n)]
    return [sum(parts[r][k % m] * turn[r * k % n] for r in range(p)) for k in range(n)]


def shares(counts):
    """Share of each bin 0 .. n/2 in the whole, and the variance under the window."""
    n = len(counts)
    w = [0.5 - 0.5 * math.cos(2 * math.pi * i / n) for i in range(n)]
    mean = math.fsum(a * b for a, b in zip(w, counts)) / math.fsum(w)
    x = [a * (b - mean) for a, b in zip(w, counts)]
    energy = math.fsum(a * a for a in x)
    power = [abs(v) ** 2 / (n * energy) for v in fft(x)]
    return ([power[k] * (1 if k in (0, n // 2) else 2) for k in range(n // 2 + 1)],
            energy / math.fsum(a * a for a in w))


def independent(n):
    m = int(n / 1.94)
    return m - (m > 0 and m % 2 == 0)


def neighbours(k, last):
    reach = min(k // 2, REACH)
    return [i for i in range(max(k - reach, 1), min(k + reach, last) + 1) if abs(i - k) > LOBE]


def leak(d):
    return (1 / (math.pi * d * (d * d - 1))) ** 2


def place_of(p, k):
    last = len(p) - 1

    def at(i):
        return p[i if i <= last else 2 * last - i]

    # Bins 0 and n/2 stand for one half of the spectrum, the others for two.
    below, here, above = at(k - 1), p[k], at(k + 1)
    a = math.sqrt(max(below, above) / here)
    by = min(max((2 * a - 1) / (a + 1), 0), 1)
    return k + by if above >= below else k - by


def peaks(p):
    last = len(p) - 1
    first = next(k for k in range(1, last + 1)
                 if k == last or independent(len(neighbours(k, last))) >= FEWEST)
    tests = last - first + 1
    found, run, previous = [], 0, 0
    for k in range(first, last + 1):
        if p[k] < LEAST:
            continue
        near = neighbours(k, last)
        t = p[k] / (statistics.median(p[i] for i in near) / math.log(2))
        m = independent(len(near))
        chance = math.prod((m - j) / (m - j + t / math.log(2)) for j in range((m - 1) // 2 + 1)) * tests
        if chance > LEVEL:
            continue
        run += previous + 1 != k
        previous = k
        found.append((p[k], k, run, t, min(chance, 1)))
    kept, used = [], set()
    for power, k, run, t, chance in sorted(found, reverse=True):
        near = any(abs(k - q["bin"]) < 2 * LOBE + 1 for q in kept)
        if run in used or near or power < 4 * sum(p[q["bin"]] * leak(abs(k - q["bin"]) - 1) for q in kept):
            continue
        used.add(run)
        kept.append({"bin": k, "place": place_of(p, k), "floor_ratio": t, "chance": chance, "taken": False,
                     "share_ratio": math.fsum(p[max(k - LOBE, 1):k + LOBE + 1])})
    return first, sorted(kept, key=lambda q: q["place"])


def line_from(found, q, n, bin_hz):
    base, misses, m = q["place"], 0, 2
    q["taken"] = True
    line = {"hz": q["place"] * bin_hz, "share_ratio": q["share_ratio"], "with_harmonics_ratio": q["share_ratio"],
            "harmonics": 0, "folded": 0, "floor_ratio": q["floor_ratio"], "chance": q["chance"]}
    places = [r["place"] for r in found]
    while m <= 1000 and misses < MISSES and m * base <= 16 * n:
        at = math.fmod(m * base, n)
        sign = -1 if at > n / 2 else 1
        at = n - at if sign < 0 else at
        near = [r for r in found[bisect.bisect_left(places, at - NEAR):bisect.bisect_right(places, at + NEAR)]
                if not r["taken"]]
        best = min(near, key=lambda r: abs(r["place"] - at), default=None)
        if best is None or best["share_ratio"] > HARMONIC * q["share_ratio"]:
            misses += 1
        else:
            misses = 0
            best["taken"] = True
            base += sign * (best["place"] - at) / m
            line["with_harmonics_ratio"] += best["share_ratio"]
            line["harmonics"] += 1
            line["folded"] += m * base > n / 2
        m += 1
    return line


def lines(found, n, bin_hz):
    out = []
    while any(not q["taken"] for q in found):
        top = max((q for q in found if not q["taken"]), key=lambda q: q["share_ratio"])
        base = next((q for q in found if q["place"] < top["place"] and not q["taken"] and
                     round(top["place"] / q["place"]) >= 2 and
                     abs(round(top["place"] / q["place"]) * q["place"] - top["place"]) <= NEAR and
                     top["share_ratio"] <= HARMONIC * q["share_ratio"]), top)
        out.append(line_from(found, base, n, bin_hz))
    return sorted(out, key=lambda line: -line["with_harmonics_ratio"])


def spectrum(counts, rate_hz):
    n = length(len(counts))
    p, variance = shares(counts[:n])
    first, found = peaks(p)
    all_lines = lines(found, n, rate_hz / n)
    return {"used": n, "bin_hz": rate_hz / n, "nyquist_hz": rate_hz / 2, "lowest_hz": first * rate_hz / n,
            "variance": variance, "peaks": len(found), "lines_found": len(all_lines),
            "named_ratio": sum(line["with_harmonics_ratio"] for line in all_lines[:NAMED]),
            "lines": all_lines[:NAMED]}


def main(argv):
    result = spectrum([int(line) for line in sys.stdin], 1e9 / float(argv[1]))
    if len(argv) == 2:
        print(json.dumps(result, indent=2))
    elif len(argv) == 3:
        print(result[argv[2]])
    else:
        print(min(result["lines"], key=lambda line: abs(line["hz"] - float(argv[3])))[argv[2]])


if __name__ == "__main__":
    main(sys.argv)

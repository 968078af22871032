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
TEETH, BESIDE, MOST_SURPRISE, COMBS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128), 4, 8, 16


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


def first_judged(last):
    return next(k for k in range(1, last + 1)
                if k == last or independent(len(neighbours(k, last))) >= FEWEST)


def floor_at(p, k):
    last = len(p) - 1
    return statistics.median(p[i] for i in neighbours(max(k, first_judged(last)), last)) / math.log(2)


def chance_at(p, k):
    """Of such a bin in noise, and how many times the noise's mean it is."""
    t = p[k] / floor_at(p, k)
    m = independent(len(neighbours(k, len(p) - 1)))
    return math.prod((m - j) / (m - j + t / math.log(2)) for j in range((m - 1) // 2 + 1)), t


def judge(p):
    last = len(p) - 1
    first = first_judged(last)
    return first, [chance_at(p, k) if k >= first and p[k] >= LEAST else (1, 0) for k in range(last + 1)]


def peaks(p, first, judged):
    last = len(p) - 1
    tests = last - first + 1
    found, run, previous = [], 0, 0
    for k in range(first, last + 1):
        chance, t = judged[k]
        chance *= tests
        if chance > LEVEL / 2:
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
    return sorted(kept, key=lambda q: q["place"])


def gather_multiples(found, base, m, most, n, line):
    misses = 0
    places = [r["place"] for r in found]
    while m <= 1000 and misses < MISSES and m * base <= 16 * n:
        at = math.fmod(m * base, n)
        sign = -1 if at > n / 2 else 1
        at = n - at if sign < 0 else at
        near = [r for r in found[bisect.bisect_left(places, at - NEAR):bisect.bisect_right(places, at + NEAR)]
                if not r["taken"]]
        best = min(near, key=lambda r: abs(r["place"] - at), default=None)
        if best is None or best["share_ratio"] > most:
            misses += 1
        else:
            misses = 0
            best["taken"] = True
            base += sign * (best["place"] - at) / m
            line["with_harmonics_ratio"] += best["share_ratio"]
            line["harmonics"] += 1
            line["folded"] += m * base > n / 2
        m += 1


def line_from(found, q, n, bin_hz):
    q["taken"] = True
    line = {"hz": q["place"] * bin_hz, "share_ratio": q["share_ratio"], "with_harmonics_ratio": q["share_ratio"],
            "harmonics": 0, "folded": 0, "floor_ratio": q["floor_ratio"], "chance": q["chance"], "teeth": 0}
    gather_multiples(found, q["place"], 2, HARMONIC * q["share_ratio"], n, line)
    return line


def nearest(x):
    return int(x + 0.5)


def around(k, last):
    return range(max(k - LOBE, 0), min(k + LOBE, last) + 1)


class Combs:
    """The search for fundamentals whose multiples together exceed chance; a point is (teeth, M, 2 M f0)."""

    def __init__(self, p, first, judged):
        self.p, self.last = p, len(p) - 1
        self.surprise = [-math.log(max(c, 1e-300)) for c, _ in judged]
        self.used = [k < first for k in range(self.last + 1)]
        lowest = 2 * LOBE + 1
        ranges = [(m, range(2 * m * lowest, 2 * self.last + 1)) for m in TEETH]
        self.ln_tests = math.log(max(sum(len(r) for _, r in ranges), 1))
        self.points = [x for (m, r), above in zip(ranges, TEETH[1:] + (192,)) for num in r
                       if self.significant(*(x := (self.n_teeth(m, above, num), m, num)))]

    def n_teeth(self, m, above, num):
        """M, or all up to the last bin where those are fewer than the next M."""
        return 2 * m * self.last // num if above * num > 2 * m * self.last else m

    def teeth(self, n, m, num, without=0):
        bins = ((i * num + m) // (2 * m) for i in range(1, n + 1) if not without or i % without)
        return [k for k in bins if not self.used[k]]

    def ln_chance(self, bins):
        total, n = sum(min(self.surprise[k], MOST_SURPRISE) for k in bins), len(bins)
        return 0 if n == 0 or total <= n else n - total + n * math.log(total / n)

    def significant(self, n, m, num):
        return self.ln_chance(self.teeth(n, m, num)) + self.ln_tests <= math.log(LEVEL / 2)

    def is_fundamental(self, n, m, num):
        return all(self.ln_chance(self.teeth(n, m, num, q)) <= math.log(LEVEL / 2)
                   for q in range(2, n + 1) if all(q % d for d in range(2, q)))

    def use(self, k):
        for i in around(k, self.last):
            self.used[i] = True

    def refined(self, n, m, num):
        place, up, down = num / (2 * m), 0, 0
        for i in range(1, n + 1):
            k = (i * num + m) // (2 * m)
            if self.used[k] or towers(self.p, place, i):
                continue
            if self.p[k - 1] > self.p[k]:
                k -= 1
            elif k < self.last and self.p[k + 1] > self.p[k]:
                k += 1
            up += self.p[k] * i * place_of(self.p, k)
            down += self.p[k] * i * i
        return min(max(up / down, place - 1 / m), place + 1 / m) if down > 0 else place

    def next(self):
        """The least likely comb of what is left: its fundamental in bins, its teeth, its chance."""
        self.points = [x for x in self.points if self.significant(*x)]
        key = {x: (self.ln_chance(self.teeth(*x)), -sum(self.surprise[k] for k in self.teeth(*x)))
               for x in self.points}
        best = next((x for x in sorted(self.points, key=key.get) if self.is_fundamental(*x)), None)
        if best is None:
            return None
        n, m, num = best
        place, chance = self.refined(*best), math.exp(key[best][0] + self.ln_tests)
        for i in range(1, n + 1):
            self.use((i * num + m) // (2 * m))
        for i in range(1, int(self.last / place) + 1):
            self.use(nearest(i * place))
        return place, n, chance


def towers(p, place, m):
    """Multiple m is something else's: it is far above those beside it."""
    last = len(p) - 1
    top = int(last / place)

    def median(numbers):
        return statistics.median([p[min(nearest(i * place), last)] for i in numbers] or [0])

    return m > 1 and p[min(nearest(m * place), last)] > HARMONIC * max(
        median(range(max(m - BESIDE, 1), m)), median(range(m + 1, min(m + BESIDE, top) + 1)))


def line_of_comb(p, comb, found, claimed, n, bin_hz):
    place, teeth, chance = comb
    last, rest, own = len(p) - 1, 0, nearest(place)
    line = {"hz": place * bin_hz, "share_ratio": 0, "with_harmonics_ratio": 0, "harmonics": 0, "folded": 0,
            "floor_ratio": p[own] / floor_at(p, own), "chance": chance, "teeth": teeth}
    for q in found:
        m = round(q["place"] / place)
        if q["taken"] or m < 1 or abs(m * place - q["place"]) > NEAR or towers(p, place, m):
            continue
        q["taken"] = True
        line["with_harmonics_ratio"] += q["share_ratio"]
        if m >= 2:
            line["harmonics"] += 1
        else:
            line.update(share_ratio=q["share_ratio"], floor_ratio=q["floor_ratio"], chance=min(chance, q["chance"]))
    for m in range(1, teeth + 1):
        k = nearest(m * place)
        if k > last or claimed[k]:
            continue
        excess = sum(p[i] - floor_at(p, k) for i in around(k, last) if not claimed[i])
        for i in around(k, last):
            claimed[i] = True
        if m == 1:
            line["share_ratio"] = max(excess, 0)
            line["with_harmonics_ratio"] += line["share_ratio"]
        else:
            rest += excess
    line["with_harmonics_ratio"] += max(rest, 0)
    most = HARMONIC * max(line["share_ratio"], line["with_harmonics_ratio"] / teeth)
    gather_multiples(found, place, int(last / place) + 1, most, n, line)
    return line


def lines_of_combs(p, first, judged, found, n, bin_hz):
    combs, out, claimed = Combs(p, first, judged), [], [False] * len(p)
    for q in found:
        for i in around(q["bin"], len(p) - 1):
            claimed[i] = True
    while len(out) < COMBS and (comb := combs.next()):
        out.append(line_of_comb(p, comb, found, claimed, n, bin_hz))
        for q in found:
            if q["taken"]:
                combs.use(q["bin"])
    return out


def lines(out, found, n, bin_hz):
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
    first, judged = judge(p)
    found = peaks(p, first, judged)
    all_lines = lines(lines_of_combs(p, first, judged, found, n, rate_hz / n), found, n, rate_hz / n)
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

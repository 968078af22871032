# SPDX-License-Identifier: MIT
"""What comparisons share: interleaving, the ratio with its interval, the verdict."""
import math
import random
import statistics
import sys


class NotHere(Exception):
    """The comparison cannot be made on this host; the text says why and what would help."""


def interleave(pairs, ours, theirs):
    """Calls ours() and theirs() `pairs` times each in the order ABBA ABBA ... and returns the list of
    (ours, theirs), so that a drift of the machine falls on both alike."""
    out = []
    for i in range(pairs):
        if i % 2 == 0:
            a = ours()
            b = theirs()
        else:
            b = theirs()
            a = ours()
        out.append((a, b))
        if sys.stdout.isatty():
            print(f"\r  pair {i + 1} of {pairs} ", end="\n" if i + 1 == pairs else "", flush=True)
    return out


def ratio(pairs, level=0.95, rounds=4000, seed=1):
    """Ratio ours / theirs: the Hodges-Lehmann estimate of the log ratios of the pairs (the median of
    their pairwise means; Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963) and a
    percentile bootstrap interval over the pairs."""
    logs = [math.log(a / b) for a, b in pairs]

    def estimate(x):
        n = len(x)
        return statistics.median((x[i] + x[j]) / 2 for i in range(n) for j in range(i, n))

    rng = random.Random(seed)
    boot = sorted(estimate(rng.choices(logs, k=len(logs))) for _ in range(rounds))
    lo = boot[int((1 - level) / 2 * rounds)]
    hi = boot[min(rounds - 1, int((1 + level) / 2 * rounds))]
    return math.exp(estimate(logs)), math.exp(lo), math.exp(hi)


def verdict(what, pairs, target):
    """Prints the ratio beside its target. 0: the estimate keeps it; 1: the whole interval is over it; 3:
    the estimate is over it, the interval is not."""
    r, lo, hi = ratio(pairs)
    print(f"  {what}: ratio {r:.3f} (95 % interval {lo:.3f} to {hi:.3f}, {len(pairs)} pairs), "
          f"target at most {target}")
    if r <= target:
        return 0
    return 1 if lo > target else 3


def main(compare):
    """Runs compare(build folder) and ends with its exit code."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUILDDIR")
    try:
        sys.exit(compare(sys.argv[1]))
    except NotHere as e:
        print(f"  not decidable here: {e}")
        sys.exit(3)

# SPDX-License-Identifier: MIT
"""Writing a million samples of fixed work: one printf a sample beside the project's writers.

The same work in the same program (fwq_write_driver.c); what is compared is the time beyond the work: wall time
less the sum of the samples. `text` is the file of the threaded FWQ benchmark, the same lines that printf
writes. `native` is the .nfsamples file with its checksums; it is on the disk when it is closed, so printf
is followed by an fsync there."""
import os
import pathlib
import subprocess
import tempfile

import peerlib

PAIRS = int(os.environ.get("NF_PEERS_PAIRS", "20"))
N = int(os.environ.get("NF_PEERS_SAMPLES", "1000000"))
WORK = 200
TARGET = 0.5


def compare(build):
    driver = pathlib.Path(build) / "peers" / "fwq_write_driver"
    with tempfile.TemporaryDirectory() as tmp:
        def beyond(mode):
            return int(subprocess.run([driver, mode, str(N), str(WORK), str(pathlib.Path(tmp) / mode)],
                                      stdout=subprocess.PIPE, text=True, check=True).stdout)

        worst = 0
        for mode, peer in (("native", "durable"), ("text", "printf")):
            beyond(mode)
            beyond(peer)
            pairs = peerlib.interleave(PAIRS, lambda: beyond(mode), lambda: beyond(peer))
            worst = max(worst, peerlib.verdict(f"{mode}, time beyond the work against a printf a sample", pairs, TARGET))
        text = pathlib.Path(tmp) / "printf"
        a, b = (p.read_text().splitlines() for p in (text, text.with_name("text")))
        assert len(a) == len(b) == N + 2
        print(f"  per sample with printf {sorted(p[1] for p in pairs)[len(pairs) // 2] / N:.0f} ns, with text "
              f"{sorted(p[0] for p in pairs)[len(pairs) // 2] / N:.0f} ns")
        return worst


peerlib.main(compare)

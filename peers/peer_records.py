# SPDX-License-Identifier: MIT
"""A file of records of the HostProbeRun kind, with its types in a let chain: what peers/dhall.py compares on and
tests/integration/hostile_files.py takes as its measure."""

REASONS = ("None Text", r"""Some "tab\tend" """.strip())

TYPES = """let Lane = < generic | rt | unknown >
let Result = < pass | fail | partial | blocked >
let Summary = { n : Natural, min_ns : Natural, max_ns : Natural, mean_ns : Double, sd_ns : Optional Double }
let Record =
      { schema : Text, host : Text, lane : Lane, result : Result, reason : Optional Text, realtime : Optional Bool
      , offset_ns : Integer, cpus : List Natural, summaries : List Summary, evidence : List Text, notes : List Text }
in  [ """


def record(i):
    summary = ", ".join(
        f"{{ n = {1000 + k}, min_ns = {i + k}, max_ns = {i * 7 + k}, mean_ns = {i + k}.25, "
        f"sd_ns = {'Some 1.5e-3' if k % 2 else 'None Double'} }}" for k in range(6))
    texts = ", ".join(f'"captures/host-{i}/a-text-of-some-length-{k}.txt"' for k in range(16))
    return (f'{{ schema = "Run/1", host = "host-{i}", lane = Lane.{"rt" if i % 2 else "generic"}, '
            f'result = Result.pass, reason = {REASONS[i % 3 == 0]}, '
            f'realtime = Some {"True" if i % 2 else "False"}, offset_ns = {"+" if i % 2 else "-"}{i}, '
            f'cpus = [ {", ".join(str(c) for c in range(16))} ], summaries = [ {summary} ], '
            f'evidence = [ {texts} ], notes = [] : List Text }} : Record')


def text(n):
    return TYPES + "\n    , ".join(record(i) for i in range(n)) + "\n    ]\n"

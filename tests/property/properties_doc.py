#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""properties_doc.py PROPERTIES DOC: the table of docs/PROPERTIES.md has the rows that the program has.
NF_BLESS=1 writes them into the document instead."""
import os
import re
import subprocess
import sys

program, doc = sys.argv[1:3]
rows = subprocess.run([program, "--laws"], check=True, capture_output=True, text=True).stdout
text = open(doc, encoding="utf-8").read()
found = re.search(r"(?s)(\| property \| law \|\n\| --- \| --- \|\n)(.*?)(?=\n\n|\n?\Z)", text)
if not found:
    sys.exit(f"{doc}: no table '| property | law |'")
if os.environ.get("NF_BLESS") == "1":
    open(doc, "w", encoding="utf-8").write(text[:found.start(2)] + rows.rstrip("\n")
                                          + (text[found.end(2):].rstrip("\n") + "\n"))
    sys.exit(0)
have, want = found[2].strip().split("\n"), rows.strip().split("\n")
for row in sorted(set(want) - set(have)):
    print("missing in the document:", row)
for row in sorted(set(have) - set(want)):
    print("no such property:", row)
if have != want:
    sys.exit("docs/PROPERTIES.md and tests/property differ; NF_BLESS=1 writes the table")
print(f"{len(want)} properties, all documented")

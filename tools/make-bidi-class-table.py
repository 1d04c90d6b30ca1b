#!/usr/bin/env python3
"""Writes Sources/Interfaces/Terminal/Direction/BidiClassTable.swift from the Unicode data of the package unicodedata2.

Python's own data are older than the package's (pip install unicodedata2). Listed are the characters whose class differs
from what BidiClass.swift assumes for their category and block.

Usage: python3 tools/make-bidi-class-table.py > Sources/Interfaces/Terminal/Direction/BidiClassTable.swift
"""

import unicodedata2 as unicodedata

# In the order of the cases of BidiClass.
CLASSES = ["L", "R", "AL", "EN", "ES", "ET", "AN", "CS", "NSM", "BN", "B", "S", "WS", "ON"]
ARABIC = [(0x600, 0x7BF), (0x860, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF), (0x1EC70, 0x1EEFF)]
RIGHT = [(0x590, 0x85F), (0xFB1D, 0xFB4F), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF)]


def usual(code, char):
    if unicodedata.category(char) in ("Mn", "Me"):
        return "NSM"
    if any(first <= code <= last for first, last in ARABIC):
        return "AL"
    if any(first <= code <= last for first, last in RIGHT):
        return "R"
    return "L"


runs = []
for code in range(0x110000):
    char = chr(code)
    found = unicodedata.bidirectional(char)
    # Unassigned code points have the class of their block. Embeddings, overrides and isolates are no part of the table.
    if found not in CLASSES or found == usual(code, char):
        continue
    if runs and runs[-1][1] == code - 1 and runs[-1][2] == found:
        runs[-1][1] = code
    else:
        runs.append([code, code, found])

print(f"// Written by tools/make-bidi-class-table.py from the data of Unicode {unicodedata.unidata_version}.")
print()
print("/// Characters whose bidirectional class differs from the usual one of their category and block.")
print("enum BidiClassTable {")
print("  /// First and last scalar of a range, and the raw value of its `BidiClass`.")
print("  static let ranges: [UInt32] = [")
line = "   "
for first, last, name in runs:
    for number in (f"0x{first:X}", f"0x{last:X}", str(CLASSES.index(name))):
        if len(line) + len(number) + 2 > 108:
            print(line)
            line = "   "
        line += f" {number},"
print(line)
print("  ]")
print("}")

#!/usr/bin/env python3
"""Writes Sources/Interfaces/Text/Output/DisplayWidthTable.swift from the Unicode data of the package unicodedata2.

Python's own data are older than the package's (pip install unicodedata2).

Usage: python3 tools/make-display-width-table.py > Sources/Interfaces/Text/Output/DisplayWidthTable.swift
"""

import sys

import unicodedata2 as unicodedata

# Number signs and the like that stand before digits (Prepended_Concatenation_Mark): visible, although of category Cf.
PREPENDED = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def is_zero(code, char):
    if code == 0xAD:  # The soft hyphen shows as a hyphen on terminals.
        return False
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:  # Hangul vowels and finals join the syllable before.
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Cf") and code not in PREPENDED


def is_wide(code, char):
    if unicodedata.east_asian_width(char) in "WF":
        return True
    if 0x1F1E6 <= code <= 0x1F1FF:  # A letter of a flag that stands alone is drawn as wide as a flag.
        return True
    # Planes 2 and 3 are ideographs throughout, assigned or not.
    return 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD


def ranges(belongs):
    found, start = [], None
    for code in range(0x80, 0x110000):
        inside = not 0xD800 <= code <= 0xDFFF and belongs(code, chr(code))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            found.append((start, code - 1))
            start = None
    if start is not None:
        found.append((start, 0x10FFFF))
    return found


def is_ambiguous(code, char):
    if is_zero(code, char) or 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return False
    return unicodedata.east_asian_width(char) == "A"


def table(name, comment, pairs):
    print(f"  /// {comment}")
    print(f"  static let {name}: [UInt32] = [")
    numbers = [f"0x{number:X}" for pair in pairs for number in pair]
    line = "   "
    for number in numbers:
        if len(line) + len(number) + 2 > 108:
            print(line)
            line = "   "
        line += f" {number},"
    print(line)
    print("  ]")


print(f"// Made by tools/make-display-width-table.py from Unicode {unicodedata.unidata_version}; change that, not this.")
print()
print("/// Which characters take no column of a terminal, and which take two: pairs of first and last code point, rising.")
print("enum DisplayWidthTable {")
table("zero", "Marks and format characters: no column of their own.", ranges(is_zero))
print()
table("wide", "East Asian Wide and Fullwidth: two columns.", ranges(lambda c, s: is_wide(c, s) and not is_zero(c, s)))
print()
table("ambiguous", "East Asian Ambiguous: one column or two, by locale.", ranges(is_ambiguous))
print("}")
sys.stdout.flush()

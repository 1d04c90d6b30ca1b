#!/usr/bin/env python3
"""Writes the Swift table of the named character references of HTML.

Usage: python3 tools/html-entities.py > Sources/NewsService/Syndication/HTML/HTMLEntityTable.swift

The names come from Python's own copy of the list in the HTML standard (html.entities.html5).
Each entry is NAME, a separator, the characters as text, and U+0001. The separator is U+0002, or U+0003
for the names that count without a semicolon too.
"""
import html.entities


def main():
    names = html.entities.html5
    legacy = {n for n in names if not n.endswith(";")}
    entries = []
    for name in sorted(n for n in names if n.endswith(";")):
        value = "".join("\\u{%x}" % ord(c) for c in names[name])
        mark = "\\u{3}" if name[:-1] in legacy else "\\u{2}"
        entries.append(name[:-1] + mark + value + "\\u{1}")
    lines, line = [], ""
    for entry in entries:
        if len(line) + len(entry) > 104:
            lines.append(line)
            line = ""
        line += entry
    lines.append(line)
    print("// Written by tools/html-entities.py; do not edit.")
    print()
    print("/// The named character references of the HTML standard (section 13.5), each a name without its")
    print("/// semicolon, U+0002 or (where the semicolon may be missing) U+0003, its characters, U+0001.")
    print("enum HTMLEntityTable {")
    print('  static let text: StaticString = """')
    print("\\\n".join("    " + line for line in lines))
    print('    """')
    print("}")


main()

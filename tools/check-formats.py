#!/usr/bin/env python3
"""Reads the recorded output in Tests/ModulesTests/Golden with programs that newsd has nothing to do with.

Usage: python3 tools/check-formats.py [FOLDER]

Python's own csv, json, mailbox, email, html and xml modules always; jq, xmllint and the tools of sfeed where they are
installed. Prints one line for each check and ends with 1 if one fails.
"""

import csv
import email
import email.policy
import html.parser
import json
import mailbox
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "Tests/ModulesTests/Golden")
failures = 0
items = json.loads((folder / "items.json").read_text())
COUNT = len(items)


def check(name, condition, detail=""):
    global failures
    print(("ok      " if condition else "FAILED  ") + name + (f": {detail}" if detail and not condition else ""))
    failures += not condition


def read(name):
    return (folder / name).read_bytes().decode()


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def single(text):
    """A title as formats of one line may show it: controls replaced or dropped, white space and bidi controls aside."""
    text = re.sub("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\u202a-\u202e\u2066-\u2069]", "", text)
    return " ".join(text.split())


# JSON
lines = [json.loads(line) for line in read("items.jsonl").split("\n")[:-1]]
check("jsonl holds what json holds", lines == items)
check("objects begin with the schema", all(list(item)[:2] == ["schema", "id"] for item in items))
if shutil.which("jq"):
    status, out, _ = run("jq", "-r", ".[].id", str(folder / "items.json"))
    check("jq reads json", status == 0 and out.split() == [str(item["id"]) for item in items])
feed = json.loads(read("items.jsonfeed"))
check("jsonfeed is version 1.1", feed["version"] == "https://jsonfeed.org/version/1.1" and feed["title"])
check(
    "jsonfeed items have id and content",
    len(feed["items"]) == COUNT
    and all(item["id"] and ("content_html" in item or "content_text" in item) for item in feed["items"]),
)

schema = json.loads((pathlib.Path(__file__).parent.parent / "docs" / "item.schema.json").read_text())
TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict, "null": type(None)}


def mismatches(value, rule, place="item"):
    """Where a value differs from what the schema says; knows the words that docs/item.schema.json uses."""
    if "const" in rule:
        return [] if value == rule["const"] else [place]
    kinds = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if not any(type(value) is TYPES[kind] for kind in kinds):
        return [place]
    found = []
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        found.append(place)
    if isinstance(value, list):
        for index, element in enumerate(value):
            found += mismatches(element, rule["items"], f"{place}[{index}]")
    if isinstance(value, dict):
        found += [f"{place}.{key} is missing" for key in rule.get("required", []) if key not in value]
        found += [f"{place}.{key} is unknown" for key in value if key not in rule["properties"]]
        for key in value.keys() & rule["properties"].keys():
            found += mismatches(value[key], rule["properties"][key], f"{place}.{key}")
    return found


wrong = [place for item in items for place in mismatches(item, schema)]
check("items are as docs/item.schema.json says", not wrong, str(wrong))
check("the schema names every column", [name for name in schema["properties"] if name != "excerpt"] == list(items[0]))

# Tables
for name, columns in (("items", 5), ("items-all", 31)):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    check(f"{name}.csv has a header and a row an item", len(rows) == COUNT + 1 and {len(r) for r in rows} == {columns})
    titles = [dict(zip(rows[0], row))["title"] for row in rows[1:]]
    check(f"{name}.csv keeps titles", [single(t) for t in titles] == [single(i["title"]) for i in items])
    rows = [line.split("\t") for line in read(f"{name}.tsv").split("\n")[:-1]]
    check(f"{name}.tsv has a line an item", len(rows) == COUNT and {len(r) for r in rows} == {columns})
ids = read("items.ids").split("\n")[:-1]
check("ids are the ids", ids == [str(item["id"]) for item in items])

# sfeed
rows = [line.split("\t") for line in read("items.sfeed").split("\n")[:-1]]
check("sfeed has nine fields", len(rows) == COUNT and {len(row) for row in rows} == {9})
check("sfeed has the titles", [single(row[1]) for row in rows] == [single(item["title"]) for item in items])
for tool, wanted in (("sfeed_plain", "A plain title"), ("sfeed_html", "<html"), ("sfeed_atom", "<entry>"), ("sfeed_mbox", "From ")):
    if shutil.which(tool):
        status, out, problems = run(tool, text=read("items.sfeed"))
        check(f"{tool} reads sfeed", status == 0 and wanted in out and not problems, problems)

# XML
atom = xml.fromstring(read("items.atom"))
name = "{http://www.w3.org/2005/Atom}"
entries = atom.findall(name + "entry")
check("atom has an entry an item", len(entries) == COUNT)
check("atom ids are all different", len({entry.find(name + "id").text for entry in entries}) == COUNT)
rss = xml.fromstring(read("items.rss"))
check("rss has an item an item", len(rss.findall("channel/item")) == COUNT)
check("rss guids are all different", len({item.find("guid").text for item in rss.findall("channel/item")}) == COUNT)
if shutil.which("xmllint"):
    status, _, problems = run("xmllint", "--noout", "--relaxng", str(folder / "atom.rng"), str(folder / "items.atom"))
    check("xmllint finds atom valid", status == 0, problems)


class Page(html.parser.HTMLParser):
    """Counts articles, keeps headings, and notes what a page must not have."""

    def __init__(self):
        super().__init__()
        self.open, self.headings, self.articles, self.bad = [], [], 0, []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag == "article":
            self.articles += 1
        if tag == "h2":
            self.headings.append("")
        if tag in ("script", "img", "link", "iframe", "object") or any(n.startswith("on") for n in names):
            self.bad.append(tag)
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append("/" + tag)

    def handle_data(self, data):
        if "h2" in self.open:
            self.headings[-1] += data


page = Page()
page.feed(read("items.html"))
page.close()
check("html has an article an item", page.articles == COUNT)
check("html is balanced and loads nothing", not page.bad and not page.open, str(page.bad + page.open))
wanted = [single(item["title"]) or "(untitled)" for item in items]
check("html has the titles", [single(heading) for heading in page.headings] == wanted)

# Mail
box = mailbox.mbox(
    folder / "items.mbox", factory=lambda f: email.message_from_binary_file(f, policy=email.policy.default), create=False
)
messages = list(box)
check("mbox has a message an item", len(messages) == COUNT)
check("mail has no defects", not any(part.defects for message in messages for part in message.walk()))
subjects = [single(message["subject"]) for message in messages]
check("mail has the titles", subjects == wanted, str(subjects))
check("message ids are all different", len({message["message-id"] for message in messages}) == COUNT)
check("mail has a list id", all(message["list-id"] for message in messages))
check(
    "mail has plain text, and HTML where the item has",
    all(
        message.get_body(("plain",)) and bool(message.get_body(("html",))) == bool(item["content_html"])
        for message, item in zip(messages, items)
    ),
)
texts = [message.get_body(("plain",)).get_content() for message in messages]
check("mail keeps lines that begin with From", sum("\nFrom here on.\n>From there.\n" in text for text in texts) > 10)

sys.exit(1 if failures else 0)

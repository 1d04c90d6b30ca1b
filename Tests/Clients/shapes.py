"""The types of the schema files, and whether a JSON value has one. See schemas/README.md."""
import base64, re
from datetime import datetime

MISSING = object()
ITEM = "tag:google.com,2005:reader/item/"


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.S) is not None


def time(value):
    """RFC 3339, with any number of digits after the seconds."""
    shape = text(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
    if not shape(value):
        return False
    datetime.strptime(value[:19], "%Y-%m-%dT%H:%M:%S")
    return True


def icon(value):
    """TYPE;base64,DATA, as Miniflux and Fever write an icon."""
    parts = re.fullmatch(r"image/[a-z0-9.+-]+;base64,(.+)", value) if isinstance(value, str) else None
    return bool(parts) and len(base64.b64decode(parts[1], validate=True)) > 0


TYPES = {
    "any": lambda value: True,
    "null": lambda value: value is None,
    "bool": lambda value: isinstance(value, bool),
    "int": integer,
    "int32": lambda value: integer(value) and -(2**31) <= value < 2**31,
    "number": lambda value: integer(value) or isinstance(value, float),
    "flag": lambda value: value in (0, 1) and integer(value),
    "string": lambda value: isinstance(value, str),
    "text": text(r".*\S.*"),
    "decimal": text(r"-?\d+"),
    "tag": text(re.escape(ITEM) + r"[0-9a-f]{16}"),
    "ids": text(r"(\d+(,\d+)*)?"),
    "address": text(r"https?://[^/\s]+\S*"),
    "time": time,
    "icon": icon,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def holds(name, value):
    try:
        return TYPES[name](value)
    except ValueError:
        return False


class Judge:
    """The types of one schema file. `faults` gives, for each place of a type, the first value that is wrong there."""

    def __init__(self, shapes):
        self.shapes = shapes

    def names(self, kind):
        """The alternatives of a type in a string; a shape becomes its keys."""
        return [self.shapes[name[1:]]["keys"] if name.startswith("@") else name
                for name in kind.removeprefix("optional ").split(" or ")]

    def places(self, kind, path=""):
        """All places of a type, such as `.entries[].feed.id`."""
        yield path
        if isinstance(kind, list):
            yield from self.places(kind[0], path + "[]")
        elif isinstance(kind, dict):
            for key in kind:
                if key != "*":
                    yield from self.places(kind[key], f"{path}.{key}")
        else:
            for inner in self.names(kind):
                if not isinstance(inner, str):
                    yield from list(self.places(inner, path))[1:]

    def faults(self, kind, value, path=""):
        found = {}
        for place, fault in self.walk(kind, value, path):
            found.setdefault(place, fault)
        return found

    def walk(self, kind, value, path):
        optional = isinstance(kind, str) and kind.startswith("optional ")
        if value is MISSING:
            if not optional:
                yield path, "is missing"
        elif isinstance(kind, list):
            if not isinstance(value, list):
                yield path, f"is {brief(value)}, not a list"
            else:
                for element in value:
                    yield from self.walk(kind[0], element, path + "[]")
        elif isinstance(kind, dict):
            yield from self.keys(kind, value, path)
        else:
            inner = self.names(kind)
            if not any(holds(name, value) for name in inner if isinstance(name, str)):
                shape = next((name for name in inner if not isinstance(name, str)), None)
                if shape is None or value is None:
                    yield path, f"is {brief(value)}, not {kind.removeprefix('optional ')}"
                else:
                    yield from self.walk(shape, value, path)

    def keys(self, kinds, value, path):
        if not isinstance(value, dict):
            yield path, f"is {brief(value)}, not an object"
            return
        for key, kind in kinds.items():
            if key != "*":
                yield from self.walk(kind, value.get(key, MISSING), f"{path}.{key}")
        others = [key for key in value if key not in kinds]
        if kinds.get("*") == "none" and others:
            yield path, f"has other keys: {', '.join(others)}"
        elif "*" in kinds and kinds["*"] != "none":
            for key in others:
                yield from self.walk(kinds["*"], value[key], f"{path}.*")


def brief(value):
    value = "missing" if value is MISSING else repr(value)
    return value if len(value) < 100 else value[:97] + "…"

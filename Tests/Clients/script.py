"""Plays the steps of a schema file against a server. See schemas/README.md for what a file can say."""
import contextlib, http.client, json, re, time, urllib.parse
from calendar import timegm

from shapes import ITEM, MISSING, TYPES, Judge, brief

PAGES = 60
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
# What a browser says of a request by a script, and of one for a picture, of a page of another site.
FETCHED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
PICTURE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}


# What a value of another form than expected leads to.
BROKEN = (TypeError, ValueError, LookupError, AttributeError)


class Unknown(Exception):
    """A value that an earlier step should have given."""


def short(long):
    number = int(long.removeprefix(ITEM), 16)
    return str(number - 2**64 if number >= 2**63 else number)


# Functions of one value.
EACH = {
    "text": str,
    "number": int,
    "long": lambda id: f"{ITEM}{int(id) & 2**64 - 1:016x}",
    "short": short,
    # Hexadecimal digits, filled up to the number of decimal ones.
    "padded": lambda id: ITEM + f"{int(id):x}".rjust(len(id), "0"),
    "hex": lambda id: id.rpartition("/")[2],
    "digits": lambda value: int(re.sub(r"\D", "", value)),
    "seconds": lambda stamp: timegm(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")),
    "length": len,
    "stripped": str.strip,
}
# Functions of a list or a text.
WHOLE = {
    "split": lambda value: [part for part in value.split(",") if part],
    "count": len,
    "max": lambda value: max(value, default=None),
    "min": lambda value: min(value, default=None),
    "sum": sum,
    "values": lambda value: list(value.values()),
    "keys": list,
    "reversed": lambda value: value[::-1],
    "sorted": sorted,
    "unique": lambda value: list(dict.fromkeys(value)),
    "first": lambda value: value[0],
    "joined": ",".join,
    # All numbers of several lists in texts.
    "cut": lambda value: [part for one in value for part in one.split(",")],
    # The 50 numbers after one.
    "following": lambda value: ",".join(str(value + n) for n in range(1, 51)),
}
RELATIONS = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "same set as": lambda a, b: set(a) == set(b),
    "within": lambda a, b: set(a) <= set(b),
    "contains": lambda a, b: set(b) <= set(a) if isinstance(b, list) else b in a,
    "lacks": lambda a, b: not set(b) & set(a) if isinstance(b, list) else b not in a,
    "descends": lambda a, b: all(x >= y for x, y in zip(a, a[1:])),
    "ascends": lambda a, b: all(x <= y for x, y in zip(a, a[1:])),
    "has no repeats": lambda a, b: len(set(a)) == len(a),
    "is not empty": lambda a, b: bool(a),
    "is empty": lambda a, b: not a,
    "at least": lambda a, b: all(x >= b for x in (a if isinstance(a, list) else [a])),
    "at most": lambda a, b: all(x <= b for x in (a if isinstance(a, list) else [a])),
    "matches": lambda a, b: all(re.search(b, x) for x in (a if isinstance(a, list) else [a])),
    # The keys of each object come in this order.
    "in order": lambda a, b: all([key for key in x if key in b] == [key for key in b if key in x] for x in a),
}


KEYS = {"ask", "from", "can", "headers", "query", "form", "multipart", "json", "text", "picture", "status", "answer", "check", "save",
        "pages", "batch", "elsewhere", "wait"}


def mistakes(schema, facts):
    """What a file says that means nothing: a misspelt key would otherwise be a check that cannot fail."""
    known, found = {*facts, "batch"}, []

    def visit(kind):
        if isinstance(kind, str):
            names = kind.removeprefix("optional ").split(" or ")
            found.extend(f"type {name}" for name in names if name not in TYPES and name[1:] not in schema["shapes"])
        else:
            for inner in kind if isinstance(kind, list) else [kind[key] for key in kind if kind[key] != "none"]:
                visit(inner)

    for shape in schema["shapes"].values():
        visit(shape["keys"])
    for step in schema["steps"]:
        found.extend(f"key {key}" for key in step.keys() - KEYS)
        if "ask" in step and "from" not in step:
            found.append(f"no source of {step['ask']}")
        visit(step.get("answer", []))
        found.extend(f"relation {check[1]}" for check in step.get("check", []) if check[1] not in RELATIONS)
        asked = {key: value for key, value in step.items() if key not in ("save", "from")}
        for name, value in [("", asked), *step.get("save", {}).items()]:
            texts = re.findall(r"(?<!\\)\$([a-z_]+)|\{\+?([a-z_]+)[^}]*\}", json.dumps(value))
            found.extend(f"value {one or two}" for one, two in texts if (one or two) not in known)
            known.add(name)
    return found


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.text = body.decode("utf-8", "replace")
        try:
            self.json = json.loads(self.text)
        except ValueError:
            self.json = MISSING

    @property
    def value(self):
        return self.text if self.json is MISSING else self.json


class Script:
    """`facts` are the values that a file can use from the start; a function among them is called at each use."""

    def __init__(self, schema, port, facts, acts, dropped=None):
        self.schema, self.port, self.facts, self.acts, self.dropped = schema, port, dict(facts), acts, dropped
        self.judge = Judge(schema["shapes"])
        self.passed, self.total, self.failures = 0, 0, []

    def play(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        for step in self.schema["steps"]:
            self.asked = step.get("ask") or " ".join(["elsewhere:", *map(str, step.get("elsewhere", ["wait"]))])
            checks = self.checks_of(step)
            failed = self.failures_of(step)
            self.total += checks
            # Whatever a failure kept from being reached has failed with it.
            self.passed += checks - min(checks, sum(count for _, count in failed))
            asked = urllib.parse.unquote(self.asked)
            self.failures += [(asked if len(asked) < 150 else asked[:147] + "…", text, count) for text, count in failed]
        self.connection.close()

    def checks_of(self, step):
        """How many things can be wrong in a step."""
        if "ask" not in step:
            return len(step.get("check", []))
        places = len(list(self.judge.places(step["answer"]))) if "answer" in step else 0
        return 1 + self.crosses_origins(step) + places + len(step.get("check", [])) + ("pages" in step)

    def failures_of(self, step):
        every = self.checks_of(step)
        try:
            if "wait" in step:
                time.sleep(step["wait"])
            if "elsewhere" in step:
                self.acts[step["elsewhere"][0]](*map(self.evaluate, step["elsewhere"][1:]))
            answer, failed = self.exchange(step) if "ask" in step else (Answer(0, {}, b""), [])
            if answer is None:
                return [(failed[0][0], every)]
            failed += self.compare(step, answer)
            for name, value in step.get("save", {}).items():
                # A step that needs what cannot be saved fails.
                with contextlib.suppress(Unknown, *BROKEN):
                    self.facts[name] = self.evaluate(value, answer)
            return failed
        except Unknown as missing:
            return [(f"cannot be asked: there is no {missing}", every)]
        except (*BROKEN, OSError, http.client.HTTPException, RuntimeError) as fault:
            self.connection.close()
            return [(f"{type(fault).__name__}: {fault}", every)]

    def compare(self, step, answer):
        failed = []
        if "answer" in step:
            places = list(self.judge.places(step["answer"]))
            if answer.json is MISSING:
                return [(f"the answer is not JSON: {brief(answer.text)}", len(places) + len(step.get("check", [])))]
            faults = self.judge.faults(step["answer"], answer.json)
            for place, fault in faults.items():
                # Places below one that has failed have failed with it.
                inner = [p for p in places if p == place or p.startswith((place + ".", place + "["))]
                if not any(place != other and place.startswith((other + ".", other + "[")) for other in faults):
                    failed.append((f"{place or 'the answer'} {fault}", max(1, len(inner))))
        for check in step.get("check", []):
            left, relation, right = (check + [None])[:3]
            try:
                a = self.evaluate(left, answer)
                b = right if relation in ("matches", "in order") else self.evaluate(right, answer)
                if not RELATIONS[relation](a, b):
                    failed.append((f"{left} {relation} {'' if right is None else right}: {self.difference(a, b)}", 1))
            except Unknown as missing:
                failed.append((f"{left} {relation} {right}: there is no {missing}", 1))
            except BROKEN as fault:
                failed.append((f"{left} {relation} {right}: {type(fault).__name__} {fault}", 1))
        return failed

    @staticmethod
    def difference(a, b):
        if isinstance(a, list) and isinstance(b, list) and all(isinstance(x, str) for x in a + b):
            here, there = (brief(sorted(set(x) - set(y))[:2]) for x, y in ((a, b), (b, a)))
            return f"{len(set(a))} values and {len(set(b))}; only here {here}, only there {there}"
        return f"{brief(a)} and {brief(b)}" if b is not None else brief(a)

    # Requests

    def exchange(self, step):
        """The answer of a step, which may take several requests; None and the failure if a request failed."""
        if "batch" in step:
            values = self.evaluate(step["batch"]["of"])
            size = step["batch"]["size"]
            return self.merge(step, ({"batch": values[i:i + size]} for i in range(0, len(values), size)))
        if "pages" in step:
            return self.walk(step)
        return self.request(step, {})

    def merge(self, step, rounds):
        items, answer = [], None
        for extra in rounds:
            self.facts.update(extra)
            answer, failed = self.request(step, {})
            if answer is None:
                return None, failed
            items += self.evaluate(step["batch"]["items"], answer)
        if answer is None:
            return None, [("nothing is asked for", 1)]
        return self.with_items(answer, step["batch"]["items"], items), failed

    def walk(self, step):
        pages, items, more = step["pages"], [], {}
        for _ in range(PAGES):
            answer, failed = self.request(step, more)
            if answer is None:
                return None, failed
            page = self.evaluate(pages["items"], answer)
            items += page
            if not page or len(page) < pages.get("short", 0):
                break
            if "total" in pages and len(items) >= self.evaluate(pages["total"], answer):
                break
            following = {}
            for name, value in pages["next"].items():
                if isinstance(value, int):
                    following[name] = more.get(name, 0) + value
                else:
                    try:
                        following[name] = self.evaluate(value, answer)
                    except Unknown:
                        following[name] = None
            if None in following.values() or "" in following.values():
                break
            more = following
        else:
            failed = failed + [(f"the pages do not end: {len(items)} items on {PAGES}", 1)]
        return self.with_items(answer, pages["items"], items), failed

    def with_items(self, answer, path, items):
        """The last answer with the items of all answers. `path` is a key of the answer, or empty where that is the list."""
        answer.json = {**answer.json, path: items} if path else items
        return answer

    def request(self, step, more):
        method, _, target = step["ask"].partition(" ")
        target = re.sub(r"\{([^}]+)\}", self.placed, target).removeprefix(self.facts["host"])
        query = {**step.get("query", {}), **more}
        if query:
            target += ("&" if "?" in target else "?") + self.encode(query)
        browser = self.crosses_origins(step)
        common = {} if step.get("picture") else self.schema.get("headers", {})
        given = {**common, **step.get("headers", {})}
        headers = {name: self.fill(value) for name, value in given.items() if value is not None}
        body = None
        if "json" in step:
            body, headers["Content-Type"] = json.dumps(self.deep(step["json"])).encode(), "application/json"
        elif "form" in step:
            body, headers["Content-Type"] = self.encode(step["form"]).encode(), "application/x-www-form-urlencoded"
        elif "multipart" in step:
            body, headers["Content-Type"] = self.multipart(step["multipart"])
        elif "text" in step:
            body = self.fill(step["text"]).encode()
        failed = self.blocked(method, target, headers) if browser else []
        if browser:
            headers |= {"Origin": self.facts["origin"], **FETCHED}
        elif self.schema.get("browser"):
            headers |= PICTURE
        if not more:
            self.asked = f"{method} {target}"
        answer = self.send(method, target, body, headers)
        if browser and not failed and not self.allowed(answer.headers.get("Access-Control-Allow-Origin")):
            failed = [("a browser keeps the answer from the page: no Access-Control-Allow-Origin", 1)]
        wanted = step.get("status", "2xx")
        if answer.status not in (range(200, 300) if wanted == "2xx" else wanted if isinstance(wanted, list) else [wanted]):
            return None, [(f"answers {answer.status}, not {wanted}: {brief(answer.text[:80])}", 1)]
        return answer, failed

    def crosses_origins(self, step):
        """Whether a page of another origin sends the request by script."""
        return self.schema.get("browser", False) and not step.get("picture", False)

    def allowed(self, origin):
        return origin in ("*", self.facts["origin"])

    def placed(self, name):
        """A value in an address; `{+name}` is one already."""
        value = str(self.evaluate("$" + name[1].lstrip("+")))
        if not value:
            raise Unknown(name[1].lstrip("+"))
        return value if name[1].startswith("+") else urllib.parse.quote(value, safe="")

    def blocked(self, method, target, headers):
        """What a browser asks before a page of another origin may send a request."""
        simple = {"accept", "accept-language", "content-language"}
        if headers.get("Content-Type", "").partition(";")[0] in FORMS:
            simple.add("content-type")
        asked = sorted(name.lower() for name in headers if name.lower() not in simple)
        if method in ("GET", "HEAD", "POST") and not asked:
            return []
        answer = self.send("OPTIONS", target, None, {
            "Origin": self.facts["origin"], "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": ",".join(asked), **FETCHED,
        })
        if answer.status // 100 != 2 or not self.allowed(answer.headers.get("Access-Control-Allow-Origin")):
            return [(f"a browser does not send it: OPTIONS answers {answer.status} and no Access-Control-Allow-Origin", 1)]
        methods, names = (
            {part.strip().lower() for part in answer.headers.get(f"Access-Control-Allow-{kind}", "").split(",")}
            for kind in ("Methods", "Headers")
        )
        # The asterisk does not stand for Authorization.
        lacking = [name for name in asked if name not in names and ("*" not in names or name == "authorization")]
        if method.lower() not in methods | {"get", "head", "post"} and "*" not in methods:
            lacking.append(method)
        return [(f"a browser does not send it: OPTIONS does not allow {', '.join(lacking)}", 1)] if lacking else []

    def send(self, method, target, body, headers):
        try:
            self.connection.request(method, target, body, headers)
            response = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            # An idle connection may have been closed.
            self.connection.close()
            self.connection.request(method, target, body, headers)
            response = self.connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        if self.dropped:
            answer.json = without(answer.json, self.dropped)
        return answer

    def encode(self, pairs):
        out = []
        for name, value in pairs.items():
            value = self.fill(value)
            out += [(name, self.plain(one)) for one in (value if isinstance(value, list) else [value]) if one is not None]
        return urllib.parse.urlencode(out)

    def multipart(self, pairs):
        edge = "----part7MA4YWxk"
        head = f"--{edge}\r\nContent-Disposition: form-data; name="
        parts = "".join(f'{head}"{name}"\r\n\r\n{self.plain(self.fill(value))}\r\n' for name, value in pairs.items())
        return (parts + f"--{edge}--\r\n").encode(), f"multipart/form-data; boundary={edge}"

    @staticmethod
    def plain(value):
        return str(value).lower() if isinstance(value, bool) else value

    # Values

    def fill(self, value):
        """A value of a request: `$…` is evaluated, also as `{$…}` inside a text."""
        if isinstance(value, str) and "{$" in value:
            return re.sub(r"\{(\$[^}]+)\}", lambda name: str(self.evaluate(name[1])), value)
        return self.evaluate(value) if isinstance(value, str) and value.startswith("$") else value

    def deep(self, value):
        if isinstance(value, dict):
            return {name: self.deep(inner) for name, inner in value.items()}
        return [self.deep(inner) for inner in value] if isinstance(value, list) else self.fill(value)

    def evaluate(self, value, answer=None):
        """`$name.path | function` of what is known, or `path | function` of an answer. `=text` and all that is not text are
        themselves."""
        if isinstance(value, dict):
            keys, values = self.evaluate(value["keys"], answer), self.evaluate(value["values"], answer)
            return dict(zip(keys, values))
        if not isinstance(value, str) or value.startswith("="):
            return value[1:] if isinstance(value, str) else value
        path, *functions = (part.strip() for part in value.split("|"))
        if path.startswith("$"):
            name, _, path = path[1:].partition(".")
            name, bracket, index = name.partition("[")
            if name not in self.facts:
                raise Unknown(name)
            found = self.facts[name]() if callable(self.facts[name]) else self.facts[name]
            path = (bracket + index + "." if bracket else "") + path
        elif path.startswith("@"):
            return answer.headers.get(path[1:], "")
        elif answer is None:
            return value
        elif path == "~":
            found, path = answer.text, ""
        else:
            found = answer.value
        return self.apply(functions, self.follow(found, path.strip("."), value))

    def follow(self, found, path, whole):
        for name, bracket in re.findall(r"([^.\[\]]+)|\[([^\]]*)\]", path):
            try:
                if name:
                    found = [one[name] for one in found] if isinstance(found, list) else found[name]
                elif re.fullmatch(r"-?\d+", bracket):
                    found = found[int(bracket)]
                elif ":" in bracket:
                    found = found[slice(*(int(n) if n else None for n in bracket.split(":")))]
                elif "=" in bracket:
                    key, _, wanted = bracket.partition("=")
                    wanted = self.evaluate(wanted) if wanted.startswith("$") else wanted
                    found = [one for one in found if str(self.optional(one, key)) == str(wanted)]
                elif isinstance(found, list) and found and isinstance(found[0], list):
                    found = [inner for one in found for inner in one]
            except (KeyError, IndexError, TypeError):
                raise Unknown(whole) from None
        return found

    def optional(self, value, path):
        with contextlib.suppress(Unknown):
            return self.follow(value, path, path)

    def apply(self, functions, found):
        for function in functions:
            name, _, argument = function.partition(" ")
            if name == "through":
                known = self.evaluate(argument)
                found = [known[one] for one in found if one in known] if isinstance(found, list) else known[found]
            elif name == "after":
                found = found.partition(argument)[2].strip().partition("\n")[0]
            elif name in ("with", "without"):
                others = set(self.evaluate(argument))
                found = [one for one in found if (one in others) == (name == "with")]
            elif name == "less":
                found -= int(argument)
            elif name in WHOLE:
                found = WHOLE[name](found)
            elif name in EACH:
                found = [EACH[name](one) for one in found] if isinstance(found, list) else EACH[name](found)
            else:
                raise KeyError(function)
        return found


def without(value, key):
    """A JSON value without a key: what a server that does not know it would send."""
    if isinstance(value, dict):
        return {name: without(inner, key) for name, inner in value.items() if name != key}
    return [without(inner, key) for inner in value] if isinstance(value, list) else value

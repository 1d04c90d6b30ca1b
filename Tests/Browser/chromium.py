"""Drives Chromium through its debugging pipe. Needs nothing but Python and Chromium. Used by Tests/Browser/page and bench/page."""
import json, os, shutil, subprocess, threading, time

program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def wait(condition, seconds=15):
    end = time.time() + seconds
    while time.time() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    return condition()


class Chromium:
    """One browser, which keeps its profile in a folder; each of its pages is a session of the protocol."""

    def __init__(self, profile, hovers=False):
        """`hovers`: there is a mouse, which a browser without a screen lacks."""
        here_reads, browser_writes = os.pipe()
        browser_reads, here_writes = os.pipe()

        def wire():
            # The browser reads from 3 and writes to 4. Move both ends away first, in case they are 3 or 4 themselves.
            first, second = os.dup2(browser_reads, 30), os.dup2(browser_writes, 40)
            os.dup2(first, 3), os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
             "--no-first-run", f"--user-data-dir={profile}", "--remote-debugging-pipe",
             *(["--blink-settings=primaryHoverType=2,availableHoverTypes=2"] if hovers else []), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=wire,
        )
        os.close(browser_reads), os.close(browser_writes)
        self.input, self.output = here_writes, os.fdopen(here_reads, "rb", buffering=0)
        self.number, self.answers, self.events, self.lock = 0, {}, [], threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        rest = b""
        while chunk := self.output.read(1 << 16):
            *messages, rest = (rest + chunk).split(b"\0")
            with self.lock:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.lock.notify_all()

    def send(self, method, session=None, **parameters):
        with self.lock:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        with self.lock:
            if not self.lock.wait_for(lambda: number in self.answers, 30):
                raise TimeoutError(method)
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]


class Tab:
    """A page of a browser, whose addresses begin with `base`."""

    def __init__(self, browser, base, script=True, remembers=False):
        """`remembers`: the page is of the browser's own profile, which survives its restart."""
        self.browser, self.base = browser, base
        context = {} if remembers else {"browserContextId": browser.send("Target.createBrowserContext")["browserContextId"]}
        target = browser.send("Target.createTarget", url="about:blank", **context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setScriptExecutionDisabled", value=not script)
        self.size(1000, 800)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def events(self, method):
        with self.browser.lock:
            return [e["params"] for e in self.browser.events if e["method"] == method and e.get("sessionId") == self.session]

    def loads(self):
        return len(self.events("Page.loadEventFired"))

    def go(self, path):
        before = self.loads()
        self.send("Page.navigate", url=self.base + path)
        wait(lambda: self.loads() > before)

    def leaving(self, action):
        """Does what loads another page. Returns false if none is loaded."""
        before = self.loads()
        action()
        return wait(lambda: self.loads() > before)

    def value(self, expression):
        # An isolated world runs even where the page's own scripts are turned off.
        tree = self.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.send("Page.createIsolatedWorld", frameId=tree, worldName="test")["executionContextId"]
        result = self.send("Runtime.evaluate", expression=expression, contextId=world, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + json.dumps(result["exceptionDetails"])[:300])
        return result["result"].get("value")

    def address(self):
        return self.value("location.href")

    def press(self, key, modifiers=0):
        text = {"Space": " ", "Enter": "\r"}.get(key, key if len(key) == 1 else "")
        name = {"Space": " "}.get(key, key)
        code = {"Enter": 13, "Escape": 27, "Space": 32, "PageDown": 34}.get(key, ord(key[0].upper()) if len(key) == 1 else 0)
        common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        down = {"type": "keyDown", "text": text} if text and not modifiers & 7 else {"type": "rawKeyDown"}
        self.send("Input.dispatchKeyEvent", **down, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, selector, index=0, modifiers=0):
        # The first line of a link that is in sight: the middle of all its lines may lie beside it.
        spot = self.value(
            f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{index}]; e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            " const spots = [...e.getClientRects()].map(r => [r.x + r.width / 2, r.y + r.height / 2]);"
            " return spots.find(([x, y]) => e.contains(document.elementFromPoint(x, y))) || spots[0] })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1, modifiers=modifiers)

    def fill(self, selector, text):
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=text)

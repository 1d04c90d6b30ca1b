"""A screen without a monitor, a session bus, and `newsd run` with the feeds of fixture.py, for clients with windows."""
import os, shutil, signal, socket, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
from fixture import Site, Store


def wait(condition, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.2)
    return condition()


class Desktop:
    """Ends what it has started, and prints what was checked."""

    def __init__(self, client, newsd):
        missing = [name for name in (client, "Xvfb", "xdotool", "dbus-daemon", "gdbus") if not shutil.which(name)]
        if missing:
            print(f"{client} as a client: not tested, there is no {missing[0]} here")
            sys.exit(0)
        self.client, self.processes, self.done, self.failures = client, [], [], []
        self.work = tempfile.mkdtemp(prefix=f"newsd-{client}-")
        self.site = Site()
        self.store = Store(os.path.realpath(newsd), self.work + "/news.db", self.work, self.site)
        self.password = self.store.fill()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.start([self.store.newsd, "-q", "run"],
                   {**self.store.environment, "NEWSD_WEB_LISTEN": f"127.0.0.1:{port}"})
        self.environment = {
            "HOME": self.work, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "NO_AT_BRIDGE": "1",
            "GSETTINGS_BACKEND": "keyfile", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "XDG_CONFIG_HOME": self.work + "/config", "XDG_DATA_HOME": self.work + "/data", "XDG_CACHE_HOME": self.work + "/cache",
            "XDG_RUNTIME_DIR": self.work, "QTWEBENGINE_DISABLE_SANDBOX": "1",
        }
        # Without folders of services, no call on the bus starts a second client.
        with open(self.work + "/bus.conf", "w") as file:
            file.write('<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" '
                       '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd"><busconfig><type>session</type>'
                       f'<listen>unix:path={self.work}/bus</listen><auth>EXTERNAL</auth><policy context="default">'
                       '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>')
        self.start(["dbus-daemon", "--nofork", "--config-file", self.work + "/bus.conf"])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.work}/bus"
        reading, writing = os.pipe()
        self.start(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1200x800x24", "-nolisten", "tcp"], pass_fds=[writing])
        number = b""
        while not number.endswith(b"\n"):
            number += os.read(reading, 16)
        self.environment["DISPLAY"] = ":" + number.decode().strip()
        wait(lambda: self.ready(port))

    def ready(self, port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def start(self, words, environment=None, **more):
        with open(f"{self.work}/{os.path.basename(words[0])}.log", "ab") as log:
            process = subprocess.Popen(words, env=environment or self.environment if len(self.processes) else environment,
                                       stdout=log, stderr=log, stdin=subprocess.DEVNULL, **more)
        self.processes.append(process)
        return process

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=30)

    def items(self):
        """The items of the store by address."""
        return {item["url"]: item for item in self.store.items()}

    def having(self, state):
        return {address for address, item in self.items().items() if item[state]}

    def check(self, name, holds, why=""):
        self.done.append(name)
        if not holds:
            self.failures.append(name)
            print(f"FAIL {name}: {why}", flush=True)

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        print(f"{self.client} as a client: {len(self.done) - len(self.failures)} of {len(self.done)} checks passed")
        if self.failures:
            print(f"kept: {self.work}")
        else:
            shutil.rmtree(self.work)
        sys.exit(bool(self.failures))

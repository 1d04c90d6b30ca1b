"""The feeds that the clients' requests are tried on, and the store that is filled with them: eight feeds with 150 items each. Two
folders, one of them a subfolder, have five of the feeds. The notes have no titles, each podcast item has a sound file. A fifth of
the items is read, a seventeenth is starred. Items of the edited feed were changed after they had been stored."""
import http.server, json, subprocess, threading, time, zlib
from email.utils import formatdate
from xml.sax.saxutils import escape, quoteattr

FEEDS = {  # title and folder
    "alpha": ("Alpha Weekly", "Tech & Co"),
    "beta": ('Beta "Q" & Friends', "Tech & Co"),
    "news": ("日本ニュース", "News/日本"),
    "world": ("أخبار العالم", "News/日本"),
    "podcast": ("Podcast Hour", None),
    "zeta": ("Zeta Planet", None),
    "notes": ("Notes", "Tech & Co"),
    "edited": ("Second Thoughts", None),
}
PER_FEED = 150
# The numbers of the items that later versions of a feed change.
EDITED = range(0, 10)
WORDS = ("harbour violin granite meadow lantern copper orchard glacier pepper saddle timber velvet walnut canyon feather marble "
         "ribbon cactus thunder pigeon anchor basil cobalt dragon ember falcon garnet hazel indigo jasper kettle lemon").split()
# One pixel.
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                    "1f15c4890000000d49444154789c6360f8cf50000003010101a79a2c4f0000000049454e44ae426082")


def words(seed, count=9):
    """Text that no other item has, so that no item is taken for the story of another one."""
    out = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append(WORDS[seed >> 33 & 31])
    return " ".join(out)


def page(title, head, body):
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode()


class Site(http.server.ThreadingHTTPServer):
    """Serves the feeds, their sites, icons and articles."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        # Midnight, so that dates do not depend on the time of day.
        self.midnight = int(time.time()) // 86400 * 86400
        self.version = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def feed(self, name):
        title = FEEDS.get(name, ("A New Feed", None))[0]
        # An icon that the feed names; the others are found on the site's page.
        site = f"{self.base}/site/{name}/"
        image = f"<image><url>{self.base}/icon.png</url><title>i</title><link>{site}</link></image>" if name == "alpha" else ""
        items = "".join(self.item(name, n) for n in range(PER_FEED if name in FEEDS else 3))
        if name == "edited":
            items = "".join(self.item(name, 1000 + n) for n in range(max(0, self.version - 1))) + items
        return (f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>{escape(title)}</title>'
                f"<link>{site}</link><description>About {escape(title)}</description>{image}{items}</channel></rss>").encode()

    def item(self, name, n):
        number = (list(FEEDS).index(name) if name in FEEDS else 8) * PER_FEED + n
        edit = f" Edited: {words(number + 77 * self.version)}." if name == "edited" and n in EDITED and self.version else ""
        # Publication is in no order that ids or arrival have.
        published = self.midnight - 86400 - number * 7919 % 1200 * 1000
        text = {"news": "これは本文です。", "world": "هذا نص الخبر."}.get(name, "")
        body = (f"<p>Text {n} of {name}: {words(number, 30)}.{edit} "
                f'<a href="https://example.org/{number}">a link</a> &amp; {text}</p>')
        heading = "" if name == "notes" else f"<title>{words(number + 5, 5)} {n} &amp;amp; more</title>"
        sound = f"<enclosure url={quoteattr(f'{self.base}/sound/{n}.mp3')} type='audio/mpeg' length='{1000 + n}'/>"
        return (f"<item>{heading}<link>{self.base}/item/{name}/{n}</link><guid isPermaLink='false'>urn:{name}:{n}</guid>"
                f"<pubDate>{formatdate(published)}</pubDate><author>author{n % 4}@example.org (Author {n % 4})</author>"
                f"<category>topic {n % 3}</category>{sound if name == 'podcast' else ''}"
                f"<description>{escape(body)}</description></item>")

    def page(self, path):
        """The type and the bytes at a path, or None."""
        kind, _, rest = path.lstrip("/").partition("/")
        if kind == "feed":
            return "application/rss+xml", self.feed(rest.removesuffix(".xml"))
        if kind == "site":
            name = rest.strip("/")
            links = ('<link rel="icon" sizes="32x32" href="/icon.png">'
                     f'<link rel="alternate" type="application/rss+xml" title="Feed" href="/feed/{name}.xml">')
            return "text/html", page(name, links, name)
        if kind == "item":
            seed = zlib.crc32(rest.encode())
            paragraphs = "".join(f"<p>The whole article, part {i}: {words(seed + i, 60)}.</p>" for i in range(6))
            return "text/html", page(rest, "", f"<article><h1>{rest}</h1>{paragraphs}</article>")
        if path == "/icon.png":
            return "image/png", PNG
        return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        found = self.server.page(self.path.partition("?")[0])
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", found[0] if found else "text/plain")
        self.send_header("Content-Length", str(len(found[1]) if found else 0))
        self.end_headers()
        if found:
            self.wfile.write(found[1])

    def log_message(self, *arguments):
        pass


class Store:
    """A store, by its `NEWSD_DB`, and what the command line says of it."""

    def __init__(self, newsd, address, home, site):
        self.newsd, self.address, self.site = newsd, address, site
        self.environment = {"HOME": home, "TMPDIR": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
                            "NEWSD_DB": address, "NEWSD_ALLOW_PRIVATE": "1"}

    def run(self, *arguments, text=None):
        done = subprocess.run([self.newsd, "-q", *arguments], env=self.environment, input=text, capture_output=True, text=True,
                              timeout=60)
        # 1: nothing was found.
        if done.returncode > 1:
            raise RuntimeError(f"newsd {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def items(self):
        fields = "id,url,title,feed,is_read,is_starred"
        return [json.loads(line) for line in self.run("list", "-n", "0", "--format", "jsonl", "--fields", fields).splitlines()]

    def feeds(self):
        return [json.loads(line) for line in self.run("feeds", "list", "--format", "jsonl").splitlines()]

    def mark(self, state, addresses):
        number = {item["url"]: item["id"] for item in self.items()}
        self.run("mark", state, "-", text="".join(f"{number[address]}\n" for address in addresses))

    def publish(self):
        """A new version of the edited feed: the edited items change, and one item is new."""
        self.site.version += 1
        self.run("fetch", f"{self.site.base}/feed/edited.xml")

    def fill(self):
        """Fills the store and returns the password of an app."""
        self.site.version = 0
        for name, (_, folder) in FEEDS.items():
            if name == "podcast":
                # Half of the items were stored a second later.
                time.sleep(1.1)
            self.run("feeds", "add", f"{self.site.base}/feed/{name}.xml")
        for name, (_, folder) in FEEDS.items():
            if folder:
                self.run("feeds", "move", "--folder", folder, f"{self.site.base}/feed/{name}.xml")
        addresses = [item["url"] for item in sorted(self.items(), key=lambda item: item["id"])]
        self.mark("read", addresses[::5])
        self.mark("starred", addresses[::17])
        time.sleep(1.1)
        self.publish()
        items = self.items()
        counts = len(items), sum(item["is_read"] for item in items), sum(item["is_starred"] for item in items)
        if counts != (8 * PER_FEED, 240, 71):
            raise RuntimeError(f"the store holds {counts[0]} items, {counts[1]} read and {counts[2]} starred")
        # What a client asks for since its start has happened since then.
        time.sleep(1.1)
        return self.run("web", "apps", "add", "client").strip()

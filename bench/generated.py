"""Items and feeds that the benchmarks of the reader and of the page are made of. Used by bench/reader and bench/page."""
import http.server, json, os, subprocess, sys, threading, time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../Tests"))
from loopback import LoopbackServer

words = "kernel linux swift server compiler network storage index reader parser memory thread signal socket".split()


def write_items(path, first, count):
    with open(path, "w") as file:
        for i in range(first, first + count):
            a, b, c = words[i % 14], words[i // 14 % 14], words[i // 196 % 14]
            when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_600_000_000 + i * 60))
            file.write(json.dumps({
                "id": str(i), "title": f"{a.title()} {b} and {c} {i}", "url": f"https://example.org/{i}",
                "date_published": when, "content_text": f"About {a}, {b} and {c}, number {i}.",
            }) + "\n")


def fill(newsd, environment, work, items):
    """Stores items in 100 feeds."""
    feeds = 100
    for feed in range(feeds):
        path = f"{work}/items"
        write_items(path, feed * (items // feeds), items // feeds)
        with open(path) as file:
            subprocess.run([newsd, "ingest", "--feed", f"Feed {feed}"], env=environment, stdin=file, capture_output=True, check=True)


class Feeds(http.server.BaseHTTPRequestHandler):
    """Feeds of 40 new items each, all from this process; every address of 127.0.0.0/8 is a host of its own."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        # A daemon also looks for icons.
        if not self.path[1:].isdigit():
            return self.send_error(404)
        number = int(self.path[1:])
        items = "".join(
            f"<item><guid>{number}-{i}-{time.time_ns()}</guid><title>Fetched {words[i % 14]} {number} {i}</title>"
            f"<link>https://example.org/f/{number}/{i}</link><description>About {words[(number + i) % 14]}.</description></item>"
            for i in range(40)
        )
        body = f"<rss version='2.0'><channel><title>Fetched {number}</title>{items}</channel></rss>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def subscribe(newsd, environment, work, count):
    """Subscribes to feeds of this process, which must run with NEWSD_ALLOW_PRIVATE."""
    server = LoopbackServer(Feeds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    outlines = "".join(
        f'<outline type="rss" text="F{n}" xmlUrl="http://127.0.{n // 250}.{n % 250 + 1}:{port}/{n}"/>' for n in range(count)
    )
    with open(work + "/feeds.opml", "w") as file:
        file.write(f"<opml version='2.0'><body>{outlines}</body></opml>")
    subprocess.run([newsd, "feeds", "import", work + "/feeds.opml"], env=environment, capture_output=True, check=True)

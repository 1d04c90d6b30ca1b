import NewsHTTP
import Glibc
import NewsCore

// web-bench: serves answers of fixed size until its standard input ends, for bench/http. Prints the port.

/// A route with a fixed number of bytes that are answered on the server's thread, like the page's files.
func fixedBytes(_ name: String, count: Int) -> WebRoute {
  let asset = StaticAsset([UInt8](repeating: UInt8(ascii: "x"), count: count))
  return WebRoute(api: name, path: [name], isExact: false) { _ in
    HTTPReply(
      status: 200,
      fields: HTTPFields([("Content-Type", "application/octet-stream")]),
      body: .asset(asset)
    )
  }
}

let server = try HTTPServer(
  sockets: try ListenSocket.open("127.0.0.1:0", environment: [:]),
  configuration: HTTPServerConfiguration(),
  routes: [
    WebRoute(api: "health", path: ["health"]) { _ in .text(200, "ok\n") },
    WebRoute(api: "ready", path: ["ready"], handler: ReadinessProbe { [] }),
    fixedBytes("file", count: 4 << 10), fixedBytes("large", count: 1 << 20),
  ],
  observer: ServiceMetrics()
)
print(server.port ?? 0)
// The driver reads the port at once.
fflush(nil)
while readLine() != nil {}
await server.stop(within: .seconds(1))

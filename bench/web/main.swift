import NewsHTTP
import Glibc
import NewsCore

// web-bench: serves answers of fixed size until its standard input ends, for bench/http. Prints the port.

/// Bytes that are answered on the server's thread, like the page's files.
struct FixedBytes: HTTPInstantHandling {
  let asset: StaticAsset

  init(count: Int) { asset = StaticAsset([UInt8](repeating: UInt8(ascii: "x"), count: count)) }

  func instantReply(to request: HTTPRequest) -> HTTPReply {
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
    WebRoute(api: "health", path: ["health"], handler: HealthProbe()),
    WebRoute(api: "ready", path: ["ready"], handler: ReadinessProbe { [] }),
    WebRoute(api: "file", path: ["file"], handler: FixedBytes(count: 4 << 10)),
    WebRoute(api: "large", path: ["large"], handler: FixedBytes(count: 1 << 20)),
  ],
  observer: ServiceMetrics()
)
print(server.port ?? 0)
// The driver reads the port at once.
fflush(nil)
while readLine() != nil {}
await server.stop(within: .seconds(1))

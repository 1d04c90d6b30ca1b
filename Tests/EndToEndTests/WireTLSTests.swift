import TestServer
import TestSupport
import Testing

@Suite(.enabled(if: !Tool.openssl.isEmpty, "openssl is not installed"), .blocking)
struct `On the wire: TLS` {
  let wire: Wire
  let server: TLSServer
  static let one = Sample.rss(["One"])

  init() throws {
    wire = try Wire()
    server = try TLSServer()
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(Self.one.utf8.count)\r\n\r\n"
    server.directory.write(head + Self.one, to: "feed")
  }

  private func add(_ path: String, _ settings: String...) throws -> Program.Result {
    try wire.newsd.run(["feeds", "add", server.origin + path] + settings.flatMap { ["--set", $0] })
  }

  @Test func `A certificate of an unknown authority is rejected unless the feed trusts that authority`()
    throws
  {
    try server.serveFiles()
    let refused = try add("/feed")
    #expect(refused.status == 69)
    #expect(refused.errors.contains("certificate"), "\(refused.errors)")
    let believed = try add("/feed", "ca-file=\(server.path("server.crt"))")
    #expect(believed.status == 0, "\(believed.errors)")
    #expect(try wire.titles() == ["One"])
  }

  @Test func `Disabled certificate verification gives a warning at each poll`() throws {
    try server.serveFiles()
    let added = try add("/feed", "verify-tls=false")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("not verified"), "\(added.errors)")
    for _ in 0..<2 {
      let fetched = try wire.run("fetch")
      #expect(fetched.status == 0)
      #expect(fetched.errors.contains("not verified"), "\(fetched.errors)")
    }
  }

  @Test func `A client certificate is sent if the feed has one`() throws {
    try server.makeCertificate("client")
    try server.serveFiles(["-Verify", "1", "-verify_return_error", "-CAfile", server.path("client.crt")])
    let authority = "ca-file=\(server.path("server.crt"))"
    #expect(try add("/feed", authority).status == 69)
    let added = try add("/feed", authority, "client-certificate=\(server.path("client.pem"))")
    #expect(added.status == 0, "\(added.errors)")
  }

  @Test func `A redirect from https to http is followed only if that is allowed`() throws {
    wire.server.on("/plain", .ok(Self.one))
    server.directory.write(
      "HTTP/1.1 301 Moved\r\nLocation: \(wire.server.url("/plain"))\r\nContent-Length: 0\r\n\r\n",
      to: "down"
    )
    try server.serveFiles()
    let authority = "ca-file=\(server.path("server.crt"))"
    let refused = try add("/down", authority)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("https"), "\(refused.errors)")
    #expect(wire.server.requests.isEmpty)
    wire.environment["NEWSD_FETCH_ALLOW_DOWNGRADE"] = "true"
    #expect(try add("/down", authority).status == 0)
    #expect(wire.server.count("/plain") == 1)
  }
}

@Suite(.enabled(if: !Tool.openssl.isEmpty, "openssl is not installed"), .blocking)
struct `On the wire: HTTP/2` {
  let wire: Wire
  let server: TLSServer

  init() throws {
    wire = try Wire()
    server = try TLSServer()
    wire.environment["NEWSD_NETWORK_CA_FILE"] = server.path("server.crt")
  }

  @Test(.enabled(if: !Tool.nginx.isEmpty, "nginx is not installed"))
  func `Feeds of one host share one connection`() throws {
    try server.serveHTTP2(
      "<rss version='2.0'><channel><title>$server_protocol, connection $connection</title></channel></rss>"
    )
    let list = (0..<8).map { "\(server.origin)/\($0)\n" }.joined()
    #expect(try wire.run("feeds", "import", wire.directory.write(list, to: "urls")).status == 0)
    let fetched = try wire.run("-v", "fetch")
    #expect(fetched.status == 0, "\(fetched.errors)")
    let titles = Set(try wire.run("feeds", "list", "--format", "tsv", "--fields", "title").lines)
    #expect(titles.count == 1)
    #expect(titles.first?.hasPrefix("HTTP/2.0, connection ") == true, "\(titles)")
  }

  /// The frames by which a server tells that it has not processed a request (RFC 9113 sections 6.8 and 8.7).
  @Test(arguments: [
    [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8], [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7],
  ])
  func `A request that the server has not processed is sent once more`(_ refusal: [UInt8]) throws {
    let frames = try server.serveFrames()
    let fetching = try wire.newsd.start(["feeds", "add", server.origin + "/feed"])
    var client = FrameReader()
    // Send SETTINGS, then the refusal of stream 1.
    #expect(frames.wait { client.requests(in: $0.outputBytes).count == 1 })
    frames.write([0, 0, 0, 4, 0, 0, 0, 0, 0] + refusal)
    #expect(frames.wait { client.requests(in: $0.outputBytes).count == 2 })
    let stream = try #require(client.requests(in: frames.outputBytes).last)
    let isNew = client.connections > 1
    let body = Array(Sample.rss(["One"]).utf8)
    frames.write(
      (isNew ? [0, 0, 0, 4, 0, 0, 0, 0, 0] : []) + FrameReader.frame(1, flags: 4, stream: stream, [0x88])
        + FrameReader.frame(0, flags: 1, stream: stream, body)
    )
    let result = try fetching.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
    #expect(client.requests(in: frames.outputBytes).count == 2)
    #expect(try wire.titles() == ["One"])
  }
}

/// Finds requests in the bytes of HTTP/2 clients, one connection after the other.
private struct FrameReader {
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  /// Connections seen so far.
  private(set) var connections = 0

  static func frame(_ type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count
    return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
      + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * UInt32($0))) } + payload
  }

  /// The stream identifiers of the HEADERS frames, in order.
  mutating func requests(in bytes: [UInt8]) -> [UInt32] {
    var streams: [UInt32] = []
    var rest = bytes[...]
    connections = 0
    while !rest.isEmpty {
      if rest.starts(with: Self.preface) {
        connections += 1
        rest = rest.dropFirst(Self.preface.count)
        continue
      }
      let head = Array(rest.prefix(9))
      guard head.count == 9 else { break }
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      if head[3] == 1 { streams.append(head[5...].reduce(0) { $0 << 8 | UInt32($1) }) }
      rest = rest.dropFirst(9 + length)
    }
    return streams
  }
}

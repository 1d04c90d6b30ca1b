import Glibc
import Modules
import NewsCore
import NewsSQLite
import TestServer
import Testing

@testable import DIContainer
@testable import NewsHTTP
@testable import NewsWeb

/// All routes of the web server, as `newsd run` serves them, and a client without credentials.
@Suite struct `All routes and a stranger` {
  /// Credentials that strangers may send.
  private static let heads = [
    ("none", ""), ("a wrong Bearer", "Authorization: Bearer wrong\r\n"),
    ("a wrong Basic", "Authorization: Basic bmV3c2Q6d3Jvbmc=\r\n"),
    ("a wrong token", "Authorization: GoogleLogin auth=newsd/0\r\n"),
    ("a wrong cookie", "Cookie: newsd=00\r\n"),
    ("a wrong field", "X-Auth-Token: wrong\r\n"),
  ]
  private static let largest = 1 << 20

  private func server(_ rig: WebRig) throws -> (server: HTTPServer, routes: [WebRoute]) {
    let routes = try rig.services.webRoutes(
      WebHooks(metrics: ServiceMetrics()),
      rig.account,
      rig.page,
      rig.services.makeSyncRefreshes { _ in }
    ) { 0 }
    let server = try HTTPServer(
      sockets: try ListenSocket.open("127.0.0.1:0", environment: [:]),
      configuration: HTTPServerConfiguration(),
      routes: routes,
      account: rig.account
    )
    return (server, routes)
  }

  @Test(arguments: [
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/json",
  ])
  func `No request makes the server read more than 1 MiB`(type: String) async throws {
    let rig = try WebRig { $0.web.mcp = .write }
    let (server, routes) = try server(rig)
    let port = try #require(server.port)
    let apis = Set(routes.map(\.api))
    #expect(
      apis == [
        "health", "ready", "metrics", "newsd", "icons", "greader", "fever", "miniflux", "mcp", "page",
        "static", "media",
      ]
    )
    for route in routes {
      for (name, fields) in Self.heads {
        for method in route.methods {
          let before = server.core.incoming.received
          let path = "/" + route.path.joined(separator: "/")
          let head =
            "\(method.name) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n\(fields)"
            + "Transfer-Encoding: chunked\r\n\r\n"
          let status = try Self.send(head, bytes: 2 * Self.largest, to: port)
          let read = server.core.incoming.received - before
          #expect(read <= Self.largest, "\(path) \(name): \(read) bytes")
          #expect(read == 0 || status == 413, "\(path) \(name): \(status) after \(read) bytes")
        }
      }
    }
    await server.stop(within: .seconds(5))
  }

  /// With several accounts, the answer decides whose account a request reaches.
  @Test func `Each route says what tells whose request it is, and only pages and protocols have an account`()
    async throws
  {
    let rig = try WebRig { $0.web.mcp = .write }
    let (server, routes) = try server(rig)
    for route in routes {
      let owner: WebRoute.Owner =
        switch (route.api, route.path) {
        case ("health", _), ("ready", _), ("metrics", _), ("static", _): .nobody
        case ("miniflux", ["version"]), ("miniflux", ["healthcheck"]): .nobody
        case ("page", _): .session
        case ("media", _): .cookie
        case ("icons", _): .picture
        default: .secret
        }
      #expect(route.owner == owner, "\(route.path)")
      if route.instant != nil { #expect(route.owner == .nobody, "\(route.path)") }
    }
    await server.stop(within: .seconds(5))
  }

  @Test func `Only the protocols for other readers answer the preflights of pages of other sites`()
    async throws
  {
    let rig = try WebRig { $0.web.mcp = .write }
    let (server, routes) = try server(rig)
    let port = try #require(server.port)
    for route in routes {
      let isForReaders =
        ["greader", "fever", "miniflux"].contains(route.api)
        && ![["version"], ["healthcheck"]].contains(route.path)
      let path = "/" + route.path.joined(separator: "/")
      let fields =
        "Host: localhost\r\nOrigin: https://reader.example\r\nAccess-Control-Request-Method: PUT\r\n"
        + "Access-Control-Request-Headers: x-auth-token,authorization,content-type\r\n"
      for method in ["OPTIONS", "GET"] {
        let answer = try Self.ask("\(method) \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n", port)
        #expect(
          answer.contains("\r\nAccess-Control-Allow-Origin: *\r\n") == isForReaders,
          "\(method) \(path)"
        )
        #expect(!answer.contains("Access-Control-Allow-Credentials"))
        guard isForReaders, method == "OPTIONS" else { continue }
        #expect(answer.hasPrefix("HTTP/1.1 204"))
        #expect(
          answer.contains("\r\nAccess-Control-Allow-Headers: X-Auth-Token, Authorization, Content-Type")
        )
        #expect(
          answer.contains("PUT, POST, DELETE") == (route.path.first == "v1" && !route.isExact),
          "\(path)"
        )
      }
    }
    await server.stop(within: .seconds(5))
  }

  private static func ask(_ request: String, _ port: UInt16) throws -> String {
    let socket = try Loopback.connect(port)
    defer { close(socket) }
    _ = write(Array(request.utf8), socket)
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(socket, &bytes, bytes.count, 0), count > 0 { answer += bytes[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Sends a body in chunks until the server answers. Returns the status; 0 if it closes the connection.
  private static func send(_ head: String, bytes: Int, to port: UInt16) throws -> Int {
    let socket = try Loopback.connect(port)
    defer { close(socket) }
    let chunk =
      Array("4000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 0x4000) + Array("\r\n".utf8)
    var isOpen = write(Array(head.utf8), socket)
    for _ in 0..<(bytes / 0x4000) where isOpen { isOpen = write(chunk, socket) }
    if isOpen { _ = write(Array("0\r\n\r\n".utf8), socket) }
    var answer = [UInt8](repeating: 0, count: 64)
    let count = recv(socket, &answer, answer.count, 0)
    guard count > 12 else { return 0 }
    return Int(String(decoding: answer[9..<12], as: UTF8.self)) ?? 0
  }

  private static func write(_ bytes: [UInt8], _ socket: Int32) -> Bool {
    bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count }
  }
}

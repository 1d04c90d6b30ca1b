import Glibc
import TestServer
import TestSupport
import Testing

/// Counts the requests of a daemon with accounts at a real server.
@Suite(.blocking) struct `Polls of several accounts` {
  private static let names = ["anna", "bob", "carl"]
  private static let common = 8
  private static let secret = 3
  private let rig = AccountRig()

  private func newsd(_ file: String) -> Program {
    rig.newsd([
      "NEWSD_ALLOW_PRIVATE": "1", "NEWSD_CONFIG": file, "NEWSD_NETWORK_SPACING": "0ms",
      "NEWSD_NETWORK_PER_SITE": "8",
    ])
  }

  private static func document(_ path: String, _ round: Int) -> Reply {
    .ok(
      Sample.rss((1...round).reversed().map { "\(path) \($0)" }),
      headers: [("ETag", "\"\(path)-\(round)\"")]
    )
  }

  /// Sets the documents of the server, and subscribes each account to the common addresses and to those with credentials.
  private func subscribe(_ server: TestServer, _ newsd: Program) throws {
    let paths = (1...Self.common).map { "/common\($0)" } + (1...Self.secret).map { "/secret\($0)" }
    for path in paths { server.on(path, Self.document(path, 1)) }
    for name in Self.names {
      for path in paths {
        let added = try newsd.run("--account", name, "feeds", "add", server.url(path))
        #expect(added.status == 0, "\(added.errors)")
      }
      for path in paths where path.hasPrefix("/secret") {
        let set = try newsd.run("--account", name, "feeds", "set", server.url(path), "credential=config:key")
        #expect(set.status == 0, "\(set.errors)")
      }
    }
    // A subscription's first request is its own.
    #expect(server.requests.count == Self.names.count * paths.count)
    for path in paths {
      server.on(path) { request in
        request.header("If-None-Match") == "\"\(path)-2\"" ? .status(304) : Self.document(path, 2)
      }
    }
  }

  /// Has the daemon poll everything, and returns the requests once each account has polled each feed `count` times.
  private func pollNow(_ daemon: RunningProgram, _ server: TestServer, count: Int) -> [ReceivedRequest] {
    let before = server.requests.count
    daemon.send(signal: SIGUSR1)
    let all = (Self.common + Self.secret) * count
    for name in Self.names {
      let isDone = daemon.wait {
        $0.errors.split(separator: "\n")
          .count { $0.contains("event=refresh account=\(name) ") && $0.contains(" status=") } == all
      }
      #expect(isDone, "\(name): \(daemon.errors)")
    }
    return Array(server.requests[before...])
  }

  @Test func `Each address is asked once for all accounts, and those with credentials for each`() throws {
    let server = try TestServer()
    try rig.add("anna", "bob", "carl")
    let file = rig.directory.write(
      "log: {level: debug}\ncredentials:\n"
        + Self.names.map { "  \($0): {key: \"\($0):secret\"}\n" }.joined(),
      to: "newsd.yaml"
    )
    try subscribe(server, newsd(file))
    let daemon = try newsd(file).start(["run"])
    for name in Self.names {
      #expect(daemon.wait { $0.errors.contains("event=schedule account=\(name) ") }, "\(daemon.errors)")
    }
    let wanted = Self.common + Self.names.count * Self.secret
    let first = pollNow(daemon, server, count: 1)
    #expect(first.count == wanted, "\(first.map(\.target).sorted())")
    #expect(first.count { $0.header("Authorization") != nil } == Self.names.count * Self.secret)
    for name in Self.names {
      let titles = try rig.titles(of: name)
      for number in 1...Self.common { #expect(titles.contains("/common\(number) 2\n")) }
      for number in 1...Self.secret { #expect(titles.contains("/secret\(number) 2\n")) }
    }
    // All have the same document now, so the server is asked whether it has changed.
    let second = pollNow(daemon, server, count: 2)
    #expect(second.count == wanted, "\(second.map(\.target).sorted())")
    #expect(second.allSatisfy { $0.header("If-None-Match")?.hasSuffix("-2\"") == true })
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }
}

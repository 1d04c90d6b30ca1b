import Glibc
import TestSupport
import Testing
import TestServer

@Suite(.blocking) struct `Web server of the daemon` {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }
  private var serving: Program {
    Program(in: directory, environment: ["NEWSD_WEB_LISTEN": "127.0.0.1:0"])
  }

  /// The URL of a running daemon, from its log.
  private func url(_ daemon: RunningProgram) throws -> String {
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    return "http://127.0.0.1:\(port)"
  }

  private func stop(_ daemon: RunningProgram) throws {
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func libraries(of daemon: RunningProgram) -> String {
    (try? newsd.run(program: "cat", ["/proc/\(daemon.pid)/maps"]).output) ?? ""
  }

  @Test func `Without an address nothing listens and libmicrohttpd is not loaded`() throws {
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    #expect(!libraries(of: daemon).contains("libmicrohttpd"))
    #expect(!daemon.errors.contains("event=web"))
    try stop(daemon)
    let other = try serving.start(["run"])
    _ = try url(other)
    #expect(libraries(of: other).contains("libmicrohttpd"))
    try stop(other)
  }

  @Test func `Monitors can query health and readiness`() async throws {
    let daemon = try serving.start(["run"])
    let url = try url(daemon)
    #expect(try Client.send("GET", url + "/health").body == "ok\n")
    // Without a session, the page redirects to the log-in, even for paths that do not exist.
    #expect(try Client.send("GET", url + "/nothing").status == 303)
    #expect(try Client.send("DELETE", url + "/health").status == 405)
    var ready = try Client.send("GET", url + "/ready")
    try await eventually {
      ready = try Client.send("GET", url + "/ready")
      return ready.status != 503
    }
    #expect(ready.status == 200)
    #expect(ready.body == #"{"ready":true,"problems":[]}"#)
    try stop(daemon)
  }

  @Test func `Metrics count what the daemon does`() throws {
    let server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["First"])), .ok(Sample.rss(["Second", "First"])))
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let daemon = try serving.start(["run"])
    let url = try url(daemon)
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains("event=refresh") })
    let body = try Client.send("GET", url + "/metrics").body
    for line in [
      #"newsd_polls_total{result="updated"} 1"#, "newsd_items_stored_total 1", "newsd_commit_seconds_count 1",
      "newsd_feeds 1", "newsd_items 2", "newsd_daemon_up 1", "newsd_login_failures_total 0",
      #"newsd_poll_failures_total{kind="network"} 0"#, "newsd_transfers_in_flight 0",
      #"newsd_poll_lateness_seconds_bucket{le="+Inf"} 1"#, "newsd_log_lines_dropped_total 0",
    ] {
      #expect(body.contains("\(line)\n"), "\(line) is missing in \(body)")
    }
    #expect(body.contains("\nnewsd_store_bytes "))
    #expect(body.contains("\nnewsd_wal_bytes "))
    let again = try Client.send("GET", url + "/metrics").body
    #expect(again.contains(#"newsd_http_requests_total{api="metrics",status="200"} 1"#))
    #expect(again.contains(#"newsd_http_request_seconds_count{api="metrics"} 1"#))
    // Each metric is described once, before its samples.
    let described = again.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(described).count == described.count)
    let password = try newsd.run("web", "apps", "add", "prometheus")
    let other = Program(
      in: directory,
      environment: ["NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_METRICS": "password"]
    )
    try stop(daemon)
    let guarded = try other.start(["run"])
    let metrics = try self.url(guarded) + "/metrics"
    #expect(try Client.send("GET", metrics).status == 401)
    let bearer = ("Authorization", "Bearer \(password.output.dropLast())")
    #expect(try Client.send("GET", metrics, headers: [bearer]).status == 200)
    // newsd:wrong in base64.
    let wrong = ("Authorization", "Basic bmV3c2Q6d3Jvbmc=")
    #expect(try Client.send("GET", metrics, headers: [wrong]).status == 401)
    #expect(guarded.wait { $0.errors.contains("log-in refused for newsd from 127.0.0.1") })
    for _ in 0..<9 { _ = try Client.send("GET", metrics, headers: [wrong]) }
    #expect(try Client.send("GET", metrics, headers: [wrong]).status == 429)
    try stop(guarded)
  }

  @Test func `After a request for metrics, the daemon still sees the items that other commands store`() throws
  {
    let daemon = try serving.start(["run"])
    let url = try url(daemon)
    let password = try newsd.run("web", "apps", "add", "phone").output.dropLast()
    for round in 1...3 {
      #expect(try Client.send("GET", url + "/metrics").status == 200)
      // The last connection that closes removes the write-ahead log.
      let line = "{\"id\":\"\(round)\",\"title\":\"A\"}\n"
      #expect(try newsd.run(["ingest", "--feed", "a"], input: line).status == 0)
      let items = url + "/api/items?format=jsonl&query="
      let answer = try Client.send("GET", items, headers: [("Authorization", "Bearer \(password)")])
      #expect(answer.body.split(separator: "\n").filter { $0.contains(#""title":"A""#) }.count == round)
    }
    try stop(daemon)
  }

  @Test func `App passwords are shown once and can be revoked`() throws {
    let made = try newsd.run("web", "apps", "add", "phone")
    #expect(made.status == 0)
    #expect(made.output.utf8.count == 25)
    #expect(made.errors.contains("the user name is newsd."))
    #expect(try newsd.run("web", "apps", "add", "phone").status == 73)
    let list = try newsd.run("web", "apps", "--format", "tsv")
    #expect(list.output.hasPrefix("phone\t"))
    #expect(!list.output.contains(made.output.dropLast()))
    #expect(try newsd.run("web", "status").output.contains("app passwords   1"))
    #expect(try newsd.run("web", "apps", "remove", "phone").status == 0)
    #expect(try newsd.run("web", "apps", "remove", "phone").status == 66)
    #expect(try newsd.run("web", "apps", "add").status == 64)
  }

  /// The set-up address in the log.
  private func setUpAddress(_ daemon: RunningProgram) throws -> String {
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=setup ") })
    let url = try #require(line.split(separator: " ").first { $0.hasPrefix("url=") })
    return url.dropFirst(4).filter { $0 != "\"" }
  }

  @Test func `Without a login password, a browser sets it at the address in the log, once`() throws {
    let open = Program(in: directory, environment: ["NEWSD_WEB_LISTEN": "0.0.0.0:0"])
    let daemon = try open.start(["run"])
    let logged = try setUpAddress(daemon)
    #expect(logged.hasPrefix("http://localhost:"))
    let address = "http://127.0.0.1:" + logged.dropFirst("http://localhost:".count)
    let plain = String(try #require(address.split(separator: "?").first))
    #expect(try Client.send("GET", plain).status == 403)
    #expect(try Client.send("GET", plain + "?token=00").status == 403)
    // The token opens the page at any host; other pages stay closed.
    let host = ("Host", "news.example:8788")
    let form = try Client.send("GET", address, headers: [host])
    #expect(form.status == 200)
    #expect(form.body.contains("name=\"again\""))
    let page = String(plain.dropLast("setup".count)) + "login"
    let unknown = try Client.send("GET", page, headers: [host])
    #expect(unknown.status == 421)
    for part in ["news.example:8788", "localhost", "NEWSD_WEB_URL=http://news.example:8788/"] {
      #expect(unknown.body.contains(part), "\(part) is missing in \(unknown.body)")
    }
    #expect(daemon.wait { $0.errors.contains("host=news.example:8788") }, "\(daemon.errors)")
    func send(_ password: String, _ again: String) throws -> Client.Answer {
      try Client.send(
        "POST",
        address,
        headers: [host, ("Content-Type", "application/x-www-form-urlencoded")],
        body: "name=anna&password=\(password)&again=\(again)"
      )
    }
    #expect(try send("kurz", "kurz").body.contains("at least 8 characters"))
    #expect(try send("password123", "password123").body.contains("most common"))
    #expect(try send("correct-horse", "other-horse").body.contains("differ"))
    let done = try send("correct-horse", "correct-horse")
    #expect(done.status == 303)
    #expect(try send("correct-horse", "correct-horse").status == 403)
    #expect(try Client.send("GET", address).status == 403)
    // The host is kept, also after a restart.
    #expect(try Client.send("GET", page, headers: [host]).status == 200)
    try stop(daemon)
    let again = try open.start(["run"])
    let base = try url(again)
    #expect(!again.errors.contains("event=setup"))
    #expect(try Client.send("GET", base + "/login", headers: [host]).status == 200)
    try stop(again)
    #expect(try newsd.run("web").output.contains("anna"))
  }

  @Test func `On a unix socket, too, newsd starts without a password and logs the set-up address`() throws {
    let socket = Program(
      in: directory,
      environment: ["NEWSD_WEB_LISTEN": "unix:\(directory.path)/http.sock"]
    )
    let daemon = try socket.start(["run"])
    #expect(try setUpAddress(daemon).hasPrefix("http://localhost/setup?token="))
    try stop(daemon)
    #expect(try newsd.run(["web", "password"], input: "correct horse\n").status == 0)
    #expect(try newsd.run("web").output.contains("login password  set"))
    let other = try socket.start(["run"])
    #expect(other.wait { $0.errors.contains("event=start") }, "\(other.errors)")
    #expect(!other.errors.contains("event=setup"))
    try stop(other)
    #expect(try newsd.run("web", "password", "--remove").status == 0)
    #expect(try newsd.run("web", "password", "--remove").status == 66)
    #expect(try newsd.run(["web", "password"], input: "\n").status == 65)
    #expect(try newsd.run(["web", "password"], input: "secret\n").status == 65)
  }

  @Test(arguments: [
    ("127.0.0.1:8788", nil as String?, "http://127.0.0.1:8788/"),
    ("0.0.0.0:8788", nil, "http://localhost:8788/"),
    ("[::]:8788", nil, "http://localhost:8788/"),
    ("0.0.0.0:8788", "https://news.example/", "https://news.example/"),
  ])
  func `The status has the URL of the configuration, or one that a browser on this machine can open`(
    _ listen: String,
    _ url: String?,
    _ shown: String
  ) throws {
    var program = Program(in: directory, environment: ["NEWSD_WEB_LISTEN": listen])
    #expect(try program.run(["web", "password"], input: "correct horse\n").status == 0)
    program.environment["NEWSD_WEB_URL"] = url
    let status = try program.run("web", "status", "--format", "tsv")
    #expect(status.output.contains("url\t\(shown)\n"), "\(status.output)")
  }

  @Test func `With a wrong web-url, a refused form names the expected origin`() throws {
    var program = serving
    program.environment["NEWSD_WEB_URL"] = "https://right.example/"
    let daemon = try program.start(["run"])
    let base = try url(daemon)
    let answer = try Client.send(
      "POST",
      base + "/login",
      headers: [("Origin", "https://wrong.example"), ("Host", "right.example")],
      body: "name=a"
    )
    #expect(answer.status == 403)
    #expect(answer.body.contains("https://right.example"))
    #expect(answer.body.contains("web.url"))
    try stop(daemon)
  }

  @Test func `A password file sets the login password`() throws {
    let path = directory.write("from a file\n", to: "password")
    let program = Program(
      in: directory,
      environment: ["NEWSD_WEB_LISTEN": "0.0.0.0:0", "NEWSD_WEB_PASSWORD_FILE": path]
    )
    let daemon = try program.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    try stop(daemon)
    // The next start would undo a change by a command.
    for words in [["web", "password"], ["web", "password", "--remove"]] {
      let refused = try program.run(words, input: "another password\n")
      #expect(refused.status == 78)
      #expect(refused.errors.contains("web.password_file sets the login password; change it in \(path)"))
    }
    #expect(try program.run("web").output.contains("login password  set"))
    var missing = program
    missing.environment["NEWSD_WEB_PASSWORD_FILE"] = directory.path + "/none"
    #expect(try missing.run("run", seconds: 20).status == 78)
    _ = directory.write("secret\n", to: "password")
    let short = try program.run("run", seconds: 20)
    #expect(short.status == 78)
    #expect(short.errors.contains("at least 8 characters"))
  }

  @Test func `SIGTERM ends the daemon while clients send requests, and no answer is cut short`() throws {
    let daemon = try serving.start(["run"])
    let url = try url(daemon)
    let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
    let clients = try (0..<20).map { _ in try KeptConnection(port: port) }
    for client in clients { #expect(try client.ask("/ready") > 0) }
    daemon.send(signal: SIGTERM)
    // Each connection ends after an answer with `Connection: close`, or between two requests.
    for client in clients {
      while let status = try? client.ask("/ready") { #expect(status == 200 || status == 503) }
      #expect(!client.hasPartialAnswer)
    }
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ("NEWSD_WEB_LISTEN", "8788"), ("NEWSD_WEB_URL", "example.org"),
    ("NEWSD_WEB_URL", "https://example.org/?a"),
    ("NEWSD_WEB_TRUSTED_PROXIES", "proxy.example"), ("NEWSD_WEB_METRICS", "yes"),
    ("NEWSD_WEB_APIS", "greder"),
    ("NEWSD_WEB_USER", "a:b"), ("NEWSD_WEB_CONNECTIONS", "0"),
  ])
  func `Invalid settings of the web server are refused`(name: String, value: String) throws {
    let result = try Program(in: directory, environment: [name: value]).run("web", seconds: 20)
    #expect(result.status == 78)
    #expect(result.errors.contains(name))
  }
}

/// A connection that is kept open between requests.
private final class KeptConnection {
  private let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16) throws {
    descriptor = try Loopback.connect(port)
  }

  deinit { close(descriptor) }

  /// True if an answer began and did not end.
  var hasPartialAnswer: Bool { !received.isEmpty }

  /// Returns the status of the answer; throws when the connection has ended.
  func ask(_ path: String) throws -> Int {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    _ = request.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let text = String(decoding: received, as: UTF8.self)
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        let fields = parts[0].split(separator: "\r\n")
        let length = fields.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        if parts[1].utf8.count >= length {
          received = Array(parts[1].utf8.dropFirst(length))
          return parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Program.Failure(message: "ended") }
      received += buffer[..<count]
    }
  }
}

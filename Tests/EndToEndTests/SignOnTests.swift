import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The log-in by a header field of a reverse proxy. `Tests/Browser/sign-on` tests the log-in at an OpenID provider.
@Suite(.blocking) struct `Log-in by a reverse proxy` {
  private let rig = AccountRig()
  private static let header = [
    "NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_LOG_IN": "header", "NEWSD_WEB_TRUSTED_PROXIES": "127.0.0.1",
  ]

  private func start(_ newsd: Program) throws -> (RunningProgram, AccountClient) {
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    return (daemon, AccountClient(port: try #require(UInt16(port))))
  }

  private func stop(_ daemon: RunningProgram) throws -> String {
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
    return result.errors
  }

  @Test(.everyPlaceOfAccounts)
  func `A name opens a session of that account only, which does not last without it`() throws {
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    try rig.ingest("Banana", into: "bob")
    let app = String(try rig.newsd().run("--account", "anna", "web", "apps", "add", "a").output.dropLast())
    let (daemon, client) = try start(rig.newsd(Self.header))
    for name in ["anna", "bob"] {
      #expect(daemon.wait { $0.errors.contains("event=account account=\(name) store=") }, "\(daemon.errors)")
    }
    let anna = ["Remote-User": "anna"]
    let first = try client.send("GET", "/unread", anna)
    #expect(first.status == 200 && first.body.contains("Apple") && !first.body.contains("Banana"))
    let cookie = try #require(first.setCookie)
    #expect(cookie.hasPrefix("newsd=anna.h"))
    #expect(first.head.contains("HttpOnly; SameSite=Lax"))
    // A client that keeps no cookies gets the same session.
    #expect(try client.send("GET", "/all", anna).setCookie == cookie)
    var browser = client
    browser.cookie = cookie
    #expect(try browser.send("GET", "/unread", anna).setCookie == nil)
    // The cookie alone does not suffice, and another name ends the session.
    #expect(try browser.send("GET", "/unread").status == 303)
    let page = try browser.send("GET", "/settings", anna).body
    let token = String(try #require(page.after("name=\"csrf\" value=\"")).prefix { $0 != "\"" })
    // Forms need the session and its token, and no other site may send them.
    let mark = "csrf=\(token)&as=read&list=/all"
    #expect(try client.send("POST", "/marks", anna, body: mark).status == 403)
    #expect(try browser.send("POST", "/marks", anna, body: "as=read&list=/all").status == 403)
    let foreign = anna.merging(["Origin": "https://evil.example"]) { $1 }
    #expect(try browser.send("POST", "/marks", foreign, body: mark).status == 403)
    #expect(try browser.send("POST", "/dismiss", anna, body: "csrf=\(token)").status == 303)
    let bobs = try browser.send("GET", "/unread", ["Remote-User": "bob"])
    #expect(bobs.body.contains("Banana") && !bobs.body.contains("Apple"))
    #expect(bobs.setCookie?.hasPrefix("newsd=bob.h") == true)
    let again = try browser.send("GET", "/unread", anna)
    #expect(again.body.contains("Apple") && again.setCookie != cookie)
    // Unknown and malformed account names.
    for name in ["carl", "Anna", "an\tna", "anna,bob", "", " "] {
      let answer = try client.send("GET", "/unread", ["Remote-User": name])
      #expect(answer.status == 403 && answer.setCookie == nil, "\(name): \(answer.head)")
    }
    let twice = try client.send("GET", "/unread", ["Remote-User": "anna\r\nRemote-User: anna"])
    #expect(twice.status == 403 && twice.setCookie == nil, "\(twice.head)")
    // APIs take app passwords only.
    for target in ["/api/items?query=", "/v1/me", "/reader/api/0/user-info", "/mcp", "/q/x"] {
      let status = try client.send("GET", target, anna).status
      #expect([401, 404, 405].contains(status), "\(target): \(status)")
    }
    let basic = [
      "Authorization": "Basic " + Data("anna:\(app)".utf8).base64EncodedString(), "Remote-User": "bob",
    ]
    #expect(try client.send("GET", "/api/items?query=", basic).body.contains("Apple"))
    // Password log-in is off, and the page offers no new password.
    #expect(try client.send("POST", "/login", body: "name=anna&password=x").status == 403)
    let gate = try client.send("GET", "/login")
    #expect(gate.status == 200 && !gate.body.contains("<form") && gate.body.contains("Remote-User"))
    #expect(try client.send("GET", "/setup?token=anna.0").status != 200)
    let errors = try stop(daemon)
    #expect(!errors.contains("event=setup"))
    #expect(
      errors.contains(
        "message=\"log-in refused for carl from 127.0.0.1\" reason=\"Remote-User names no account\""
      )
    )
    #expect(errors.contains("reason=\"Remote-User must have one name\""))
  }

  @Test func `Only a proxy that is named, or a unix socket, may send the field`() throws {
    let others = rig.plain.with(Self.header.merging(["NEWSD_WEB_TRUSTED_PROXIES": "192.0.2.1"]) { $1 })
    let (daemon, client) = try start(others)
    let spoofed = try client.send("GET", "/unread", ["Remote-User": "newsd\u{1B}[2J\"x"])
    #expect(spoofed.status == 400)
    let other = try client.send("GET", "/unread", ["Remote-User": "new=sd \"x\""])
    #expect(other.status == 403 && other.setCookie == nil && other.body.contains("web.trusted_proxies"))
    #expect(try client.send("GET", "/unread", ["Remote-User": "newsd"]).status == 403)
    #expect(try client.send("GET", "/health", ["Remote-User": "newsd"]).status == 200)
    #expect(try client.send("GET", "/unread").status == 303)
    let errors = try stop(daemon)
    #expect(
      errors.contains(
        #"message="log-in refused for new=sd \"x\" from 127.0.0.1" reason="Remote-User counts only"#
      )
    )

    // The field does not count unless the configuration says so.
    let (unasked, plain) = try start(rig.plain.with(["NEWSD_WEB_LISTEN": "127.0.0.1:0"]))
    #expect(try plain.send("GET", "/unread", ["Remote-User": "newsd"]).status == 303)
    #expect(try stop(unasked).contains("event=setup"))

    let socket = rig.directory.path + "/http.sock"
    let behind = try rig.plain.with(["NEWSD_WEB_LISTEN": "unix:\(socket)", "NEWSD_WEB_LOG_IN": "header"])
      .start(["run"])
    #expect(behind.wait { $0.errors.contains("event=web listen") }, "\(behind.errors)")
    let fetched = try rig.plain.run(
      program: "curl",
      ["-s", "-i", "--unix-socket", socket, "-H", "Remote-User: newsd", "http://localhost/unread"]
    )
    #expect(fetched.output.contains("Set-Cookie: newsd=h") && fetched.output.contains("200 OK"), "\(fetched)")
    _ = try stop(behind)
  }

  @Test func `Header without a named proxy, or a missing secret, is refused at the start`() throws {
    let header = try rig.plain.with(["NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_LOG_IN": "header"]).run(
      "run"
    )
    #expect(
      header.status == 78 && header.errors.contains("web.trusted_proxies is not set"),
      "\(header.errors)"
    )
    let secret = try rig.plain.with([
      "NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_LOG_IN": "oidc",
      "NEWSD_OIDC_ISSUER": "http://127.0.0.1:9",
      "NEWSD_OIDC_CLIENT_ID": "x", "NEWSD_OIDC_CLIENT_SECRET_FILE": rig.directory.path + "/missing",
    ]).run("run")
    #expect(secret.status == 78 && secret.errors.contains("oidc.client_secret_file"), "\(secret.errors)")
  }
}

extension Program {
  /// The same program with further variables.
  fileprivate func with(_ variables: [String: String]) -> Program {
    var other = self
    other.environment.merge(variables) { $1 }
    return other
  }
}

import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

extension StringProtocol {
  /// The text before the first occurrence of a mark; nil: it does not occur.
  func before(_ mark: String) -> Substring? { cutAt(mark)?.first }
  /// The text after the first occurrence of a mark; nil: it does not occur.
  func after(_ mark: String) -> Substring? { cutAt(mark)?.last }

  private func cutAt(_ mark: String) -> [Substring]? {
    let parts = Substring(self).split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? parts : nil
  }
}

/// A client of a daemon with accounts, which remembers a cookie.
struct AccountClient {
  struct Answer {
    var status = 0
    var head = ""
    var body = ""
    /// All of it, for texts that must not be there.
    var text: String { head + "\r\n\r\n" + body }
    /// The cookie that the answer sets.
    var setCookie: String? {
      let name = "Set-Cookie: "
      guard let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix(name) }) else { return nil }
      return String(line.dropFirst(name.count).prefix { $0 != ";" })
    }
  }

  let port: UInt16
  var cookie: String?

  /// Sends a request over a connection of its own, and receives until the server is silent for some seconds.
  func send(
    _ method: String,
    _ target: String,
    _ fields: [String: String] = [:],
    body: String = "",
    seconds: Int = 60
  ) throws -> Answer {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    var fields = fields
    if let cookie, fields["Cookie"] == nil { fields["Cookie"] = cookie }
    if !body.isEmpty || method == "POST" || method == "PUT" {
      fields["Content-Length"] = String(body.utf8.count)
      if fields["Content-Type"] == nil { fields["Content-Type"] = "application/x-www-form-urlencoded" }
    }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    let all = try Client.exchange(Array((text + "\r\n" + body).utf8), port: port, seconds: seconds)
    var answer = Answer()
    answer.status = all.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    answer.head = String(all.before("\r\n\r\n") ?? all[...])
    answer.body = String(all.after("\r\n\r\n") ?? "")
    return answer
  }

  /// Logs in on the page; returns the status of the answer.
  mutating func logIn(_ name: String, _ password: String) throws -> Int {
    let answer = try send("POST", "/login", body: "name=\(name)&password=\(password)")
    cookie = answer.setCookie ?? cookie
    return answer.status
  }

  /// The token of the page's forms.
  func formToken() throws -> String {
    let page = try send("GET", "/settings").body
    guard let after = page.after("name=\"csrf\" value=\"") else { return "" }
    return String(after.prefix { $0 != "\"" })
  }
}

@Suite(.blocking) struct `A daemon with accounts` {
  private let rig = AccountRig()

  private func newsd(_ environment: [String: String] = [:]) -> Program {
    rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_MCP": "write"].merging(environment) { $1 })
  }

  private func start(_ environment: [String: String] = [:]) throws -> (RunningProgram, AccountClient) {
    let daemon = try newsd(environment).start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    return (daemon, AccountClient(port: try #require(UInt16(port))))
  }

  private func serves(_ account: String, _ daemon: RunningProgram) -> Bool {
    daemon.wait { $0.errors.contains("event=account account=\(account) store=") }
  }

  private func stop(_ daemon: RunningProgram) throws {
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func setPassword(_ account: String) throws {
    let set = try newsd().run(["--account", account, "web", "password"], input: "\(account) has one\n")
    #expect(set.status == 0, "\(set.errors)")
  }

  private func logIn(_ account: String, _ client: AccountClient) throws -> AccountClient {
    var client = client
    #expect(try client.logIn(account, "\(account)+has+one") == 303)
    return client
  }

  /// Makes an app password.
  private func app(_ account: String) throws -> String {
    String(try newsd().run("--account", account, "web", "apps", "add", "app").output.dropLast())
  }

  /// Begins to follow the change log.
  private func follow(_ client: AccountClient, _ password: String) throws -> Int32 {
    let descriptor = try Loopback.connect(client.port)
    let head = "GET /api/follow HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer "
    let request = "\(head)\(password)\r\n\r\n"
    _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    return descriptor
  }

  /// True if newsd ends the connection within five seconds.
  private func ends(_ descriptor: Int32) -> Bool {
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var bytes = [UInt8](repeating: 0, count: 4096)
    var count = 0
    repeat { count = recv(descriptor, &bytes, bytes.count, 0) } while count > 0
    return count == 0
  }

  @Test func `An account has eight event streams of the change log at once, and another still gets one`()
    throws
  {
    try rig.add("anna", "bob")
    let passwords = ["anna": try app("anna"), "bob": try app("bob")]
    let (daemon, client) = try start()
    for name in ["anna", "bob"] { #expect(serves(name, daemon), "\(daemon.errors)") }
    var streams: [Int32] = []
    defer { for descriptor in streams { close(descriptor) } }
    for (name, status) in Array(repeating: ("bob", 200), count: 8) + [("bob", 503), ("anna", 200)] {
      let descriptor = try follow(client, try #require(passwords[name]))
      streams.append(descriptor)
      var begin = [UInt8](repeating: 0, count: 12)
      #expect(recv(descriptor, &begin, begin.count, Int32(MSG_WAITALL)) == begin.count)
      #expect(String(decoding: begin, as: UTF8.self) == "HTTP/1.1 \(status)")
    }
    try stop(daemon)
  }

  @Test func `Long answers count among those of their account until their clients have read them`() throws {
    try rig.add("anna", "bob")
    // More than the system takes from newsd for a client that does not read.
    let line =
      "{\"id\":\"1\",\"title\":\"One\",\"content_text\":\"\(String(repeating: "word ", count: 1_000_000))\"}\n"
    let file = rig.directory.write(line, to: "item")
    let ingest = #"exec "$0" --account bob ingest --feed F < "$1""#
    #expect(try newsd().run(program: "sh", ["-c", ingest, Program.path, file]).status == 0)
    for name in ["anna", "bob"] { try setPassword(name) }
    let (daemon, client) = try start()
    for name in ["anna", "bob"] { #expect(serves(name, daemon), "\(daemon.errors)") }
    let (anna, bob) = (try logIn("anna", client), try logIn("bob", client))
    let request = "GET /v1/entries/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Auth-Token: \(try app("bob"))\r\n\r\n"
    var waiting: [Int32] = []
    defer { for descriptor in waiting { close(descriptor) } }
    // Clients that have read nothing for 30 s lose their places: on a busy machine, the first ones may.
    for _ in 0..<48 {
      let descriptor = try Loopback.connect(client.port)
      waiting.append(descriptor)
      _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      var begin = [UInt8](repeating: 0, count: 12)
      #expect(recv(descriptor, &begin, begin.count, Int32(MSG_WAITALL)) == begin.count)
      guard begin == Array("HTTP/1.1 200".utf8) else {
        #expect(begin == Array("HTTP/1.1 503".utf8))
        close(waiting.removeLast())
        break
      }
    }
    #expect(waiting.count >= 16 && waiting.count < 48)
    #expect(try bob.send("GET", "/unread").status == 503)
    #expect(try anna.send("GET", "/unread").status == 200)
    close(waiting.removeLast())
    #expect(daemon.wait { _ in (try? bob.send("GET", "/unread").status) == 200 })
    while let descriptor = waiting.popLast() { close(descriptor) }
    try stop(daemon)
  }

  @Test func `The log-in picks the account, and each sees its own items`() throws {
    try rig.add("anna", "bob", "carl")
    try rig.ingest("Apple", into: "anna")
    try rig.ingest("Banana", into: "bob")
    for name in ["anna", "bob"] { try setPassword(name) }
    let (daemon, client) = try start()
    for name in ["anna", "bob", "carl"] { #expect(serves(name, daemon), "\(daemon.errors)") }
    let anna = try logIn("anna", client)
    let bob = try logIn("bob", client)
    #expect(anna.cookie?.contains("=anna.") == true)
    #expect(try anna.send("GET", "/unread").body.contains("Apple"))
    #expect(try !anna.send("GET", "/unread").body.contains("Banana"))
    #expect(try bob.send("GET", "/unread").body.contains("Banana"))
    #expect(try client.send("GET", "/unread").status == 303)
    // A wrong password, an unknown name and an account without a password get the same answer.
    var answers: Set<String> = []
    for name in ["anna", "carl", "nobody"] {
      let answer = try client.send("POST", "/login", body: "name=\(name)&password=wrong")
      #expect(answer.status == 403)
      answers.insert(answer.body.split(separator: name).joined())
    }
    #expect(answers.count == 1, "\(answers)")
    // The server refuses the cookie of an account if its name is replaced by that of another account.
    let secret = try #require(anna.cookie?.after("."))
    let cookie = try #require(anna.cookie?.before("="))
    for value in ["bob.\(secret)", "\(secret)", "nobody.\(secret)", ".\(secret)", "anna.\(secret)x"] {
      #expect(try client.send("GET", "/unread", ["Cookie": "\(cookie)=\(value)"]).status == 303)
    }
    // A new log-in of the same browser ends the session before.
    var browser = anna
    #expect(try browser.logIn("bob", "bob+has+one") == 303)
    #expect(try browser.send("GET", "/unread").body.contains("Banana"))
    #expect(try anna.send("GET", "/unread").status == 303)
    #expect(daemon.wait { _ in (try? client.send("GET", "/ready").status) == 200 })
    let metrics = try client.send("GET", "/metrics").body
    #expect(metrics.contains("newsd_items{account=\"anna\"} 1\n"), "\(metrics)")
    #expect(metrics.contains("newsd_login_failures_total 3\n"), "\(metrics)")
    try stop(daemon)
  }

  @Test func `An account without a password is set up at the address of 'accounts add'`() throws {
    let listen = ["NEWSD_WEB_LISTEN": "127.0.0.1:8788"]
    let made = try newsd(listen).run("accounts", "add", "anna")
    let address = try #require(made.errors.after("http://127.0.0.1:8788")?.prefix { $0 != " " })
    #expect(address.hasPrefix("/setup?token=anna."), "\(made.errors)")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon))
    #expect(daemon.wait { $0.errors.contains("event=setup account=anna url=") }, "\(daemon.errors)")
    let target = String(address)
    #expect(try client.send("GET", "/setup?token=anna.0").status == 403)
    #expect(try client.send("GET", "/setup?token=bob.0").status == 403)
    #expect(try client.send("GET", target).body.contains("Name: anna"))
    let set = try client.send("POST", target, body: "password=correct+horse&again=correct+horse")
    #expect(set.status == 303, "\(set.text)")
    var anna = client
    #expect(try anna.logIn("anna", "correct+horse") == 303)
    #expect(try client.send("GET", target).status == 403)
    try stop(daemon)
  }

  @Test func `Accounts that appear, disappear, are disabled, replaced or damaged are noticed`() throws {
    try rig.add("anna", "bob")
    try setPassword("anna")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon) && serves("bob", daemon), "\(daemon.errors)")
    var anna = try logIn("anna", client)
    // A new one.
    try rig.add("carl")
    try setPassword("carl")
    #expect(serves("carl", daemon), "\(daemon.errors)")
    _ = try logIn("carl", client)
    let stream = try follow(client, try app("carl"))
    defer { close(stream) }
    var begin = [UInt8](repeating: 0, count: 12)
    #expect(recv(stream, &begin, begin.count, Int32(MSG_WAITALL)) == begin.count)
    #expect(String(decoding: begin, as: UTF8.self) == "HTTP/1.1 200")
    // Disabled: its sessions end, and so do its log-ins and streams.
    #expect(try newsd().run("accounts", "disable", "carl").status == 0)
    #expect(daemon.wait { $0.errors.contains("event=account account=carl message=") }, "\(daemon.errors)")
    #expect(ends(stream))
    var carl = client
    #expect(try carl.logIn("carl", "carl+has+one") == 403)
    // Removed.
    #expect(try newsd().run("accounts", "remove", "bob", "--yes").status == 0)
    #expect(daemon.wait { $0.errors.contains("event=account account=bob message=") }, "\(daemon.errors)")
    #expect(access(rig.folder + "/bob.db", F_OK) != 0)
    // Damaged: the others are served.
    let file = open(rig.folder + "/dora.db", O_WRONLY | O_CREAT, 0o600)
    _ = write(file, "this is not a database at all", 29)
    close(file)
    #expect(daemon.wait { $0.errors.contains("event=account account=dora error=") }, "\(daemon.errors)")
    #expect(try anna.send("GET", "/unread").status == 200)
    // Replaced by a backup.
    let copy = rig.directory.path + "/copy.db"
    try rig.ingest("Apple", into: "anna")
    #expect(try newsd().run("--account", "anna", "backup", copy).status == 0)
    try rig.ingest("Apricot", into: "anna")
    #expect(rename(copy, rig.folder + "/anna.db") == 0)
    #expect(daemon.wait { $0.errors.contains("account=anna reopened=") }, "\(daemon.errors)")
    anna = try logIn("anna", client)
    // A page that began before may still show the former store.
    for _ in 0..<50 where try !anna.send("GET", "/unread").body.contains("Apple") { usleep(100_000) }
    let page = try anna.send("GET", "/unread").body
    #expect(page.contains("Apple") && !page.contains("Apricot"))
    // A second daemon on the folder is refused.
    let second = try newsd().run("run")
    #expect(second.status == 73)
    #expect(second.errors.contains("already active on \(rig.folder)"), "\(second.errors)")
    #expect(!second.errors.contains("--db"), "\(second.errors)")
    #expect(try newsd().run("run", "--account", "anna").status == 64)
    try stop(daemon)
  }

  @Test func `All accounts are polled, and a reload reaches them`() throws {
    let server = try TestServer()
    server.on("/a", .ok(Sample.rss(["Apple"])))
    server.on("/b", .ok(Sample.rss(["Banana"])))
    try rig.add("anna", "bob")
    let file = rig.directory.write("poll: {minimum_interval: 1h}\n", to: "newsd.yaml")
    let open = ["NEWSD_ALLOW_PRIVATE": "1", "NEWSD_CONFIG": file, "NEWSD_NETWORK_SPACING": "0ms"]
    for (name, path) in [("anna", "/a"), ("bob", "/b")] {
      let added = try newsd(open).run("--account", name, "feeds", "add", server.url(path))
      #expect(added.status == 0, "\(added.errors)")
    }
    server.on("/a", .ok(Sample.rss(["Apricot", "Apple"])))
    server.on("/b", .ok(Sample.rss(["Blueberry", "Banana"])))
    let (daemon, _) = try start(open)
    #expect(serves("anna", daemon) && serves("bob", daemon), "\(daemon.errors)")
    daemon.send(signal: SIGUSR1)
    for name in ["anna", "bob"] {
      #expect(daemon.wait { $0.errors.contains("event=refresh account=\(name) ") }, "\(daemon.errors)")
    }
    #expect(try rig.titles(of: "anna").contains("Apricot"))
    #expect(try rig.titles(of: "bob").contains("Blueberry"))
    rig.directory.write("poll: {minimum_interval: 2h}\n", to: "newsd.yaml")
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") }, "\(daemon.errors)")
    #expect(!daemon.errors.contains("needs_restart"), "\(daemon.errors)")
    try stop(daemon)
  }

  @Test func `The log names the hooks that belong to no account, at the start and after a reload`() throws {
    try rig.add("anna")
    func write(_ hooks: String) -> String { rig.directory.write("hooks: [\(hooks)]\n", to: "newsd.yaml") }
    let file = write("{name: first, exec: [/bin/true]}, {name: second, account: anna, exec: [/bin/true]}")
    let (daemon, _) = try start(["NEWSD_CONFIG": file])
    #expect(daemon.wait { $0.errors.contains("level=warning event=hook hook=first ") }, "\(daemon.errors)")
    _ = write("{name: third, account: ben, exec: [/bin/true]}")
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("level=warning event=hook hook=third ") }, "\(daemon.errors)")
    #expect(!daemon.errors.contains("hook=second "), "\(daemon.errors)")
    try stop(daemon)
  }

  @Test func `What touches the machine is refused to accounts`() throws {
    try rig.add("anna")
    try setPassword("anna")
    let trap = rig.directory.path + "/trap"
    let file = "file://" + rig.directory.write(Sample.rss(["Secret"]), to: "feed.xml")
    let program = "exec:/usr/bin/touch \(trap)"
    let server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["Intranet"])))
    for url in [program, file] {
      let added = try newsd().run("--account", "anna", "feeds", "add", "--force", url)
      _ = try newsd().run("--account", "anna", "fetch")
      #expect(added.errors.contains("which accounts may not do") || added.status != 0, "\(added.errors)")
    }
    // An address that an account types may not be local.
    let local = try newsd().run("--account", "anna", "feeds", "add", server.url("/feed"))
    #expect(local.status == 69, "\(local.errors)")

    // The page: forms for feeds, settings, lists of feeds, files and servers of other readers.
    let password = try app("anna")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon))
    let anna = try logIn("anna", client)
    let token = try anna.formToken()
    let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=anna&Passwd=\(password)")
    let google = [
      "Authorization": "GoogleLogin auth=\(try #require(login.body.after("Auth=")?.before("\n")))"
    ]
    for url in [program, file, server.url("/feed")] {
      for (target, form) in [
        ("/feeds/add", "address=\(url)"), ("/feeds/find", "address=\(url)"),
        ("/import", "address=\(url)&api=miniflux&password=x"),
        ("/import", "address=\(url)&api=greader&user=x&password=x"),
        ("/feed/1/settings", "url=\(url)&set-proxy=\(url)&set-credential=file:\(trap)&set-header=A: b"),
      ] {
        #expect(try anna.send("POST", target, body: "csrf=\(token)&\(form)").status != 500, "\(target)")
      }
      let opml =
        "<opml version='2.0'><body><outline type='rss' text='x' xmlUrl='\(url)'/>"
        + "<outline type='rss' text='y' xmlUrl='https://y.invalid/' newsd:proxy='\(server.url("/"))'/></body></opml>"
      for (target, body) in [
        ("/reader/api/0/subscription/quickadd", "quickadd=\(url)"),
        ("/reader/api/0/subscription/import", opml),
        ("/reader/api/0/subscription/edit", "ac=subscribe&s=feed/\(url)"), ("/v1/import", opml),
        ("/v1/feeds", "{\"feed_url\":\"\(url)\"}"), ("/v1/discover", "{\"url\":\"\(url)\"}"),
        ("/api/ingest?feed=z", "{\"id\":\"1\",\"title\":\"z\",\"url\":\"\(url)\"}\n"),
      ] {
        let fields =
          target.hasPrefix("/reader")
          ? google : ["Authorization": "Bearer \(password)", "X-Auth-Token": password]
        let status = try client.send("POST", target, fields, body: body).status
        #expect(status != 500 && status != 401, "\(target): \(status)")
      }
    }
    _ = try anna.send("POST", "/refresh", body: "csrf=\(token)")
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains("event=poll-now") })
    try stop(daemon)
    _ = try newsd().run("--account", "anna", "fetch")
    #expect(access(trap, F_OK) != 0)
    let titles = try rig.titles(of: "anna")
    #expect(!titles.contains("Secret") && !titles.contains("Intranet"), "\(titles)")
    #expect(server.requests.isEmpty, "\(server.requests)")
    let kept = try newsd().run("--account", "anna", "feeds", "list", "--format", "jsonl")
    #expect(!kept.output.contains("\"proxy\""), "\(kept.output)")
  }
}

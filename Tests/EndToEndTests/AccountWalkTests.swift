import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

/// Walks the routes of every protocol with the ids, names and secrets of another account.
@Suite(.blocking, .everyPlaceOfAccounts) struct `The walls between accounts` {
  private let rig = AccountRig()

  private struct Call {
    var method = "GET"
    var target: String
    var body = ""
    var type = "application/x-www-form-urlencoded"

    init(_ target: String) { self.target = target }

    init(_ method: String, _ target: String, _ body: String, json: Bool = false) {
      self.method = method
      self.target = target
      self.body = body
      if json { type = "application/json" }
    }
  }

  /// Text that only the store of anna has.
  private static let hers = ["Apple", "Orchard", "of-anna", "Hidden"]

  private func newsd() -> Program {
    // Port 9 has no provider.
    rig.newsd([
      "NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_MCP": "write", "NEWSD_WEB_LOG_IN": "password,oidc",
      "NEWSD_OIDC_ISSUER": "http://127.0.0.1:9", "NEWSD_OIDC_CLIENT_ID": "newsd",
    ])
  }

  private func start() throws -> (RunningProgram, AccountClient) {
    let daemon = try newsd().start(["run"])
    for name in ["anna", "bob"] {
      #expect(daemon.wait { $0.errors.contains("event=account account=\(name) store=") }, "\(daemon.errors)")
    }
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    return (daemon, AccountClient(port: try #require(UInt16(port))))
  }

  private func app(_ account: String, _ name: String) throws -> String {
    let made = try newsd().run("--account", account, "web", "apps", "add", name)
    #expect(made.status == 0, "\(made.errors)")
    return String(made.output.dropLast())
  }

  private func basic(_ name: String, _ password: String) -> [String: String] {
    ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
  }

  /// The readings of the page.
  private func pages(_ id: String) -> [Call] {
    [
      "/unread", "/all", "/starred", "/feed/1", "/feed/2", "/feed/1/settings", "/feed/2/menu", "/item/\(id)",
      "/item/\(id)/versions", "/item/\(id)/less", "/search?q=7391", "/feeds", "/feeds/add", "/feeds/export",
      "/folders", "/folder/annas-folder", "/rules", "/searches", "/saved/annas-search", "/label/annas-label",
      "/settings", "/access", "/suggestions?q=7", "/keys", "/media/picture/1/1/0?url=x", "/import",
      "/statistics", "/hooks?preset=linkding", "/hooks?name=annas-hook", "/events", "/login", "/login/oidc",
      "/login/oidc/callback?state=x&code=y", "/login/oidc/out", "/static/x", "/setup?token=anna.0", "/api/x",
      "/nothing",
    ].map { Call($0) }
  }

  /// What forms of the page do, aimed at the ids and the name of the other account. The last ones end the session.
  private func actions(_ id: String) -> [Call] {
    [
      ("/items/\(id)", "as=read"), ("/items/\(id)/labels", "add=stolen"), ("/items/\(id)/save", ""),
      ("/items/\(id)/article", ""), ("/items/\(id)/enclosures/1", "position=5"),
      ("/item/\(id)/less", "do=add&action=read"), ("/marks", "as=read&list=/all&items=\(id)"), ("/undo", ""),
      ("/marks/late", "mark=\(id)+read+1700000000"),
      ("/refresh", ""), ("/dismiss", ""), ("/feeds/add", "address=http://127.0.0.1:9/"),
      ("/feeds/several", "feed=2&do=remove"), ("/tree", "entry=/feed/2&to=up"),
      ("/feeds/find", "address=http://127.0.0.1:9/"), ("/searches/recent", "q=7391"), ("/feeds/import", ""),
      ("/import", "address=http://127.0.0.1:9/&api=miniflux&password=x"), ("/import/stop", ""),
      ("/import/dismiss", ""), ("/folders", "folder=annas-folder&do=rename&title=x"),
      ("/feed/2/refresh", ""), ("/feed/2/name", "title=x"), ("/feed/2/flags", "paused=true"),
      ("/feed/2/article", "article=auto"), ("/feed/2/settings", "set-paused=true"),
      ("/rules", "do=remove&number=1"), ("/searches", "remove=annas-search"),
      ("/settings", "part=retention&days=1"), ("/access", "revoke=annas-phone"), ("/access", "end=99"),
      ("/hooks", "do=remove&name=annas-hook&current=bob+has+one"),
      ("/hooks", "do=add&preset=mail&name=x&with-mail=a@b.example&current=bob+has+one"),
      ("/feed/2/remove", ""), ("/backup", "current=bob+has+one"),
      ("/password", "name=anna&current=anna+has+one&new=bob+has+two"),
      ("/password", "name=anna&current=bob+has+one&new=bob+has+two"), ("/logout", ""),
    ].map { Call("POST", $0.0, $0.1) }
  }

  /// The readings of the APIs, which need an app password.
  private func readings(_ id: String) -> [Call] {
    let greader = [
      "tag/list?output=json", "subscription/list?output=json", "unread-count?output=json", "user-info",
      "stream/contents/user/-/state/com.google/reading-list", "stream/contents/feed/1",
      "stream/contents/user/-/label/annas-label", "stream/items/ids?s=user/-/state/com.google/reading-list",
      "stream/items/contents?i=\(id)", "preference/list", "preference/stream/list", "friend/list", "token",
      "subscription/export", "nothing",
    ]
    let miniflux = [
      "me", "users", "users/1", "users/anna", "feeds", "feeds/1", "feeds/1/entries", "feeds/1/icon",
      "entries", "entries/\(id)",
      "feeds/1/entries/\(id)", "categories", "categories/1/feeds", "categories/1/entries", "export",
      "feeds/counters", "icons/1", "enclosures/1", "entries/ids", "entries?search=7391",
      "entries/\(id)/fetch-content", "integrations/status", "version",
    ]
    return greader.flatMap { [Call("/reader/api/0/\($0)"), Call("/api/greader.php/reader/api/0/\($0)")] }
      + [Call("/reader/atom/user/-/state/com.google/reading-list")] + miniflux.map { Call("/v1/\($0)") }
      + [
        "/api/items?query=7391", "/api/items?query=", "/api/changes?after=0", "/api/follow",
        "/q/annas-search",
        "/icons/1", "/feed-icon/1", "/feed/icon/1",
      ].map { Call($0) }
      + [
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        tool("search", #"{"query":"7391"}"#), tool("list", "{}"), tool("show", #"{"id":"\#(id)"}"#),
        tool("feeds", "{}"), tool("status", "{}"),
      ].map { Call("POST", "/mcp", $0, json: true) }
  }

  private func tool(_ name: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
  }

  /// What changes marks, feeds and settings, aimed at the ids of the other account.
  private func changes(_ id: String) -> [Call] {
    let edit = "/reader/api/0/"
    return [
      ("edit-tag", "i=\(id)&a=user/-/state/com.google/read"), ("edit-tag", "i=\(id)&a=user/-/label/stolen"),
      ("disable-tag", "s=user/-/label/annas-label"),
      ("rename-tag", "s=user/-/label/annas-label&dest=user/-/label/x"),
      ("mark-all-as-read", "s=feed/2"), ("subscription/edit", "ac=unsubscribe&s=feed/2"),
      ("subscription/quickadd", "quickadd=http://127.0.0.1:9/"), ("subscription/import", "<opml/>"),
      ("stream/items/contents", "i=\(id)"),
    ].map { Call("POST", edit + $0.0, $0.1) } + [
      Call("PUT", "/v1/entries", "{\"entry_ids\":[\(id)],\"status\":\"read\"}", json: true),
      Call("PUT", "/v1/entries/\(id)/bookmark", ""), Call("PUT", "/v1/entries/\(id)/star", ""),
      Call("PUT", "/v1/feeds/2", "{\"title\":\"x\"}", json: true), Call("PUT", "/v1/feeds/refresh", ""),
      Call("PUT", "/v1/feeds/2/refresh", ""), Call("PUT", "/v1/feeds/2/mark-all-as-read", ""),
      Call("PUT", "/v1/enclosures/1", "{\"media_progression\":5}", json: true),
      Call("PUT", "/v1/categories/2", "{\"title\":\"x\"}", json: true), Call("PUT", "/v1/flush-history", ""),
      Call("POST", "/v1/feeds", "{\"feed_url\":\"http://127.0.0.1:9/\"}", json: true),
      Call("POST", "/v1/categories", "{\"title\":\"bobs\"}", json: true),
      Call("POST", "/v1/discover", "{\"url\":\"http://127.0.0.1:9/\"}", json: true),
      Call("POST", "/v1/import", "<opml/>"),
      Call("DELETE", "/v1/feeds/2", ""), Call("POST", "/v1/entries/\(id)/save", ""),
      Call("POST", "/api/marks", "{\"ids\":[\"\(id)\"],\"mark\":\"read\"}", json: true),
      Call("POST", "/api/ingest?feed=of-bob", ""),
      Call("POST", "/mcp", tool("mark", #"{"ids":["\#(id)"],"mark":"read"}"#), json: true),
    ]
  }

  /// The words by which the sources of an interface tell paths apart.
  private static func words(of interface: String) throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/Interfaces/"
    )
    let folder = root.appending(path: interface).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    var words: Set<String> = []
    for name in names {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      guard ["request.path", "WebRoute", "path: [String]"].contains(where: text.contains) else { continue }
      for line in text.split(separator: "\n")
      where ["path", "case ", "route("].contains(where: line.contains) {
        words.formUnion(line.matches(of: /"([a-z][A-Za-z0-9.-]*)"/).map { String($0.1) })
      }
    }
    return words
  }

  /// Fails for a route that the walk leaves out: each word of the tables of routes must be in one of its paths.
  @Test func `The walk takes every route of the page and the protocols`() throws {
    let tables: [(interface: String, calls: [Call], others: Set<String>)] = [
      ("Web", pages("1") + actions("1"), ["action", "form", "method", "post", "round"]),
      (
        "Sync", readings("1") + changes("1"),
        [
          "accounts", "folder", "initialize", "kept-unread", "miniflux", "params", "ping", "prefs", "read",
          "s",
          "starred",
          "streamprefs", "subscribe", "t", "tools", "unsubscribe", "fever", "fever.php",
        ]
      ),
    ]
    for (interface, calls, others) in tables {
      let walked = Set(calls.flatMap { $0.target.split { "/?&=".contains($0) }.map(String.init) })
      let words = try Self.words(of: interface)
      #expect(words.count > 20, "\(words)")
      #expect(words.subtracting(walked).subtracting(others).isEmpty, "\(interface): add these to the walk")
    }
  }

  private func send(_ call: Call, _ client: AccountClient, _ fields: [String: String]) throws
    -> AccountClient.Answer
  {
    // Streams of events do not end by themselves.
    let isStream = call.target == "/events" || call.target == "/api/follow"
    return try client.send(
      call.method,
      call.target,
      fields.merging(["Content-Type": call.type]) { $1 },
      body: call.body,
      seconds: isStream ? 1 : 60
    )
  }

  @Test func `No route of any protocol shows or changes anything of another account`() throws {
    try rig.add("anna", "bob")
    let item =
      #"{"id":"1","title":"Apple 7391","url":"http://orchard.example/Orchard","content_html":"<p>Orchard</p>"}"#
    #expect(
      try newsd().run(["--account", "anna", "ingest", "--feed", "of-anna"], input: item + "\n").status == 0
    )
    try rig.ingest("Banana", into: "bob")
    let id = String(
      try newsd().run("--account", "anna", "list", "--format", "ids").output.dropLast()
    )
    for words in [
      ["search", "--save", "annas-search", "7391"], ["search", "--save", "Hidden-search", "7391"],
      ["label", "add", "annas-label", id], ["label", "add", "Hidden-label", id],
    ] {
      let made = try newsd().run(["--account", "anna"] + words)
      #expect(made.status == 0, "\(made.errors)")
    }
    for name in ["anna", "bob"] {
      let input = "\(name) has one\n"
      #expect(try newsd().run(["--account", name, "web", "password"], input: input).status == 0)
    }
    let annas = try app("anna", "annas-phone")
    _ = try app("anna", "Hidden-phone")
    let bobs = try app("bob", "bobs-phone")
    let (daemon, client) = try start()
    let before = try newsd().run("--account", "anna", "export", "--all").output
    func check(_ answer: AccountClient.Answer, _ what: String) {
      for text in Self.hers { #expect(!answer.text.contains(text), "\(what) shows \(text): \(answer.text)") }
    }

    // The page, with the session of bob.
    var browser = client
    #expect(try browser.logIn("bob", "bob+has+one") == 303)
    for call in pages(id) { check(try send(call, browser, [:]), call.target) }

    // The APIs, with the app password of bob in each form, and with the session of bob.
    let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=bob&Passwd=\(bobs)")
    let auth = try #require(login.body.after("Auth=")?.before("\n"))
    #expect(auth.hasPrefix("bob/"))
    let credentials: [[String: String]] = [
      basic("bob", bobs), ["Authorization": "Bearer \(bobs)"], ["X-Auth-Token": bobs],
      ["Authorization": "GoogleLogin auth=\(auth)"], ["Cookie": browser.cookie ?? ""],
    ]
    var admitted = 0
    for fields in credentials {
      for call in readings(id) + changes(id) {
        let answer = try send(call, client, fields)
        if answer.status == 200 { admitted += 1 }
        check(answer, "\(call.method) \(call.target)")
      }
    }
    #expect(admitted > 60, "\(admitted)")
    #expect(try client.send("GET", "/api/items?query=", basic("bob", bobs)).body.contains("Banana"))

    // The forms of the page. Only now, because they change the password and log out.
    for call in actions(id) {
      let body = "csrf=\(try browser.formToken())&\(call.body)"
      let answer = try browser.send(call.method, call.target, body: body)
      check(answer, call.target)
      #expect(answer.status != 500, "\(call.target): \(answer.text)")
      if call.target == "/backup" { #expect(answer.body.contains("SQLite format 3"), "\(answer.head)") }
      if let set = answer.setCookie { browser.cookie = set }
    }
    var anna = client
    #expect(try anna.logIn("anna", "anna+has+one") == 303)
    var bob = client
    #expect(try bob.logIn("bob", "bob+has+two") == 303)

    // Fever, whose key is in the body.
    let key = try fever("bob", bobs)
    for part in [
      "items&with_ids=\(id)", "items", "feeds&groups", "favicons", "unread_item_ids&saved_item_ids",
      "mark=item&as=read&id=\(id)", "mark=feed&as=read&id=2&before=9999999999",
    ] {
      let answer = try client.send("POST", "/fever/?api", body: "api_key=\(key)&\(part)")
      check(answer, part)
      #expect(answer.body.contains("\"auth\":1"), "\(part): \(answer.body)")
    }

    // Secrets of one account with the name of the other, and unknown secrets.
    let annaAuth = try client.send("POST", "/accounts/ClientLogin", body: "Email=anna&Passwd=\(annas)").body
    let annaKey = try #require(annaAuth.after("Auth=anna/")?.before("\n"))
    for fields in [
      basic("bob", annas), basic("anna", bobs), basic("nobody", annas), basic("", annas),
      ["Authorization": "GoogleLogin auth=bob/\(annaKey)"], ["Authorization": "GoogleLogin auth=\(annaKey)"],
      ["Authorization": "Bearer \(annas)x"], ["X-Auth-Token": "x"], [:],
    ] {
      for call in readings(id) + changes(id) where call.target != "/v1/version" {
        let answer = try send(call, client, fields)
        #expect([401, 403, 404, 429].contains(answer.status), "\(fields) \(call.target): \(answer.text)")
        check(answer, call.target)
      }
    }
    let wrong = try client.send("POST", "/accounts/ClientLogin", body: "Email=bob&Passwd=\(annas)")
    #expect([401, 429].contains(wrong.status))
    let others = try client.send("POST", "/fever/?api", body: "api_key=\(try fever("bob", annas))&items")
    #expect(!others.body.contains("\"auth\":1"))

    #expect(try newsd().run("--account", "anna", "export", "--all").output == before)
    // The owner is still admitted everywhere, and sees her own.
    #expect(try client.send("GET", "/api/items?query=", basic("anna", annas)).body.contains("Apple"))
    let own = try client.send("POST", "/fever/?api", body: "api_key=\(try fever("anna", annas))&items")
    #expect(own.body.contains("Apple"))
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  /// The Fever key of a name and a password: their MD5.
  private func fever(_ name: String, _ password: String) throws -> String {
    let sum = try newsd().run(program: "sh", ["-c", "printf %s '\(name):\(password)' | md5sum"])
    return String(sum.output.prefix(32))
  }

  @Test func `Of two accounts made from one store, the name with an app password chooses`() throws {
    #expect(try rig.plain.run(["ingest", "--feed", "a"], input: "{\"id\":\"1\"}\n").status == 0)
    let password = String(try rig.plain.run("web", "apps", "add", "phone").output.dropLast())
    for name in ["anna", "bob"] {
      let made = try newsd().run("accounts", "add", name, "--from", rig.directory.path + "/newsd.db")
      #expect(made.status == 0, "\(made.errors)")
    }
    try rig.ingest("Apple", into: "anna")
    try rig.ingest("Banana", into: "bob")
    let (daemon, client) = try start()
    for (name, own, other) in [("anna", "Apple", "Banana"), ("bob", "Banana", "Apple")] {
      let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=\(name)&Passwd=\(password)")
      let auth = try #require(login.body.after("Auth=")?.before("\n"))
      for (target, fields) in [
        ("/api/items?query=", basic(name, password)),
        (
          "/reader/api/0/stream/contents/user/-/state/com.google/reading-list",
          ["Authorization": "GoogleLogin auth=\(auth)"]
        ),
      ] {
        let body = try client.send("GET", target, fields).body
        #expect(body.contains(own) && !body.contains(other), "\(name) \(target): \(body)")
      }
    }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  @Test func `An account made from a store keeps its former name for keys and tokens`() throws {
    let line = "{\"id\":\"1\",\"title\":\"Apple\"}\n"
    #expect(try rig.plain.run(["ingest", "--feed", "a"], input: line).status == 0)
    let password = String(try rig.plain.run("web", "apps", "add", "phone").output.dropLast())
    try rig.add("bob")
    let store = rig.directory.path + "/newsd.db"
    #expect(try newsd().run("accounts", "add", "anna", "--from", store).status == 0)
    let (daemon, client) = try start()
    #expect(try client.send("GET", "/api/items?query=", basic("newsd", password)).body.contains("Apple"))
    #expect(try client.send("GET", "/api/items?query=", basic("anna", password)).body.contains("Apple"))
    let fields = "api_key=\(try fever("newsd", password))&items"
    #expect(try client.send("POST", "/fever/?api", body: fields).body.contains("Apple"))
    let login = try client.send("POST", "/accounts/ClientLogin", body: "Email=newsd&Passwd=\(password)")
    let auth = try #require(login.body.after("Auth=anna/")?.before("\n"))
    for name in ["anna", "newsd"] {
      let token = ["Authorization": "GoogleLogin auth=\(name)/\(auth)"]
      #expect(try client.send("GET", "/reader/api/0/user-info", token).status == 200)
    }
    let bob = ["Authorization": "GoogleLogin auth=bob/\(auth)"]
    #expect(try client.send("GET", "/reader/api/0/user-info", bob).status == 401)
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish(seconds: 30)
  }
}

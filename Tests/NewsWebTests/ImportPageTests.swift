import DIContainer
import Glibc
@testable import NewsHTTP
@testable import NewsCore
import TestServer
import TestSupport
import Testing

@testable import NewsWeb

@Suite struct `Web page: moving in` {
  private static let items = """
    {"id":"user/-/state/com.google/reading-list","items":[
      {"id":"1","title":"Moved one","published":1763618400,"canonical":[{"href":"https://n.example/1"}],
       "categories":["user/-/state/com.google/read"],"origin":{"streamId":"feed/https://n.example/feed","title":"News"}},
      {"id":"2","title":"Moved two","published":1763618401,"canonical":[{"href":"https://n.example/2"}],
       "categories":["user/-/state/com.google/starred"],"origin":{"streamId":"feed/https://n.example/feed","title":"News"}}
    ]}
    """

  private func upload(_ text: String, named name: String) -> [HTTPUpload] {
    [HTTPUpload(name: "list", fileName: name, bytes: Array(text.utf8))]
  }

  private func form(
    _ address: String,
    api: String = "miniflux",
    user: String = "",
    password: String = "token-1"
  )
    -> [(name: String, value: String)]
  {
    [("address", address), ("api", api), ("user", user), ("password", password)]
  }

  /// A Miniflux with two items. Its second page is answered as scripted.
  private func miniflux(_ second: Reply? = nil) throws -> TestServer {
    let server = try TestServer()
    func page(_ ids: [Int]) -> Reply {
      let entries = ids.map {
        "{\"id\":\($0),\"feed_id\":7,\"title\":\"T\($0)\",\"url\":\"https://n.example/\($0)\"}"
      }
      return .ok("{\"entries\":[\(entries.joined(separator: ","))]}")
    }
    server.on("/v1/feeds", .ok("[{\"id\":7,\"feed_url\":\"https://n.example/feed\",\"title\":\"News\"}]"))
    server.on("/v1/entries?order=id&direction=asc&limit=500", page([1, 2]))
    server.on("/v1/entries?order=id&direction=asc&limit=500&after_entry_id=2", second ?? page([]))
    return server
  }

  @Test func `A file with items is imported in the background, and the page tells the result`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    let answer = await rig.post("feeds/import", files: upload(Self.items, named: "C:\\saved\\<b>.json"))
    #expect(answer.location == "/news/import")
    await rig.page.imports.finish()
    let page = await rig.get("import")
    #expect(
      page.text.contains("Imported from &lt;b&gt;.json:\n1 feed, 2 items; 0 were stored before"),
      "\(page.text)"
    )
    #expect(!page.text.contains("<progress aria-label=\"Import\""))
    let stored = try await rig.store.items(ItemRequest(parts: [])).map(\.item)
    #expect(stored.map(\.isRead) == [false, true] && stored.map(\.isStarred) == [true, false])
    _ = await rig.post("import/dismiss")
    #expect(!(await rig.get("import").text.contains("Imported from")))
  }

  @Test func `A file that is not what it seems is an error on the page, and nothing is stored`() async throws
  {
    let rig = try WebRig()
    await rig.logIn()
    for (bytes, name) in [
      ("SQLite format 3\0" + String(repeating: "x", count: 2000), "cache.db"), ("[1", "a.json"),
    ] {
      _ = await rig.post("feeds/import", files: upload(bytes, named: name))
      await rig.page.imports.finish()
      let page = await rig.get("import")
      #expect(page.text.contains("The import from \(name) failed: \(name)"), "\(page.text)")
      #expect(page.text.contains("role=\"alert\""), "\(page.text)")
    }
    #expect(try await rig.store.feeds().isEmpty)
  }

  @Test(arguments: [
    ("ftp://n.example/", "miniflux", "", "secret", "http:// or https://"),
    ("https://n.example/", "atom", "anna", "secret", "Choose a protocol"),
    ("https://n.example/", "greader", "", "secret", "needs the name"),
    ("https://n.example/", "fever", "anna", "", "Type the password"),
    ("https://n.example/", "fever", "an\u{7}na", "secret", "control characters"),
  ])
  func `A refused server is explained in the form, which keeps what was typed but the password`(
    _ address: String,
    _ api: String,
    _ user: String,
    _ password: String,
    _ text: String
  ) async throws {
    let rig = try WebRig()
    await rig.logIn()
    let answer = await rig.post("import", form(address, api: api, user: user, password: password))
    #expect(answer.status == 400 && answer.text.contains("role=\"alert\"") && answer.text.contains(text))
    #expect(answer.text.contains("value=\"\(address)\""))
    #expect(password.isEmpty || !answer.text.contains(password))
    #expect(await rig.page.imports.note() == nil)
  }

  @Test func `A server is asked only at public addresses and those of network.allow`() async throws {
    let server = try miniflux()
    let closed = try WebRig()
    await closed.logIn()
    #expect(await closed.post("import", form(server.url("/"))).location == "/news/import")
    await closed.page.imports.finish()
    let refusal = await closed.get("import")
    #expect(refusal.text.contains("is a loopback address"), "\(refusal.text)")
    #expect(server.requests(to: "/v1/feeds").isEmpty)

    let open = try WebRig { $0.network.allowedAddresses = ["127.0.0.1/32"] }
    await open.logIn()
    #expect(await open.post("import", form(server.url("/"))).location == "/news/import")
    await open.page.imports.finish()
    let page = await open.get("import")
    #expect(page.text.contains("1 feed, 2 items; 0 were stored before"), "\(page.text)")
    #expect(try await open.ids().count == 2)
    // The state of imports has no password.
    #expect(!(try await open.store.importPlace(of: "page") ?? "").contains("token-1"))
  }

  @Test func `One import runs at a time, shows its progress, and continues after it was stopped`()
    async throws
  {
    let server = try miniflux(.stall(after: Array("{".utf8), announced: 1000))
    let rig = try WebRig { $0.network.allowedAddresses = ["127.0.0.1/32"] }
    await rig.logIn()
    _ = await rig.post("import", form(server.url("/")))
    try await eventually { rig.page.imports.current.note?.done == 2 }
    let running = await rig.get("import")
    #expect(running.text.contains("Importing from \(server.url("/")): 2 entries…"), "\(running.text)")
    #expect(running.text.contains("<progress aria-label=\"Import\"") && running.text.contains("data-live"))
    let second = await rig.post("import", form("https://other.example/"))
    #expect(second.status == 400 && second.text.contains("An import is running"))
    #expect(second.text.contains("value=\"https://other.example/\""))
    let file = await rig.post("feeds/import", files: upload(Self.items, named: "a.json"))
    #expect(file.status == 400 && file.text.contains("An import is running"))
    let events = PageEvents(
      modules: rig.page.modules,
      navigator: rig.page.navigator,
      refreshes: rig.page.refreshes,
      imports: rig.page.imports,
      pause: { true }
    )
    let event = String(decoding: try await events.next() ?? [], as: UTF8.self)
    #expect(event.contains("event: import\ndata: {\"text\":\"Importing from"), "\(event)")
    #expect(await rig.post("import/stop").location == "/news/import")
    await rig.page.imports.finish()
    let stopped = await rig.get("import")
    #expect(
      stopped.text.contains("was interrupted: 2 entries. Start it again to continue"),
      "\(stopped.text)"
    )
    #expect(
      stopped.text.contains("value=\"\(server.url("/"))\"")
        && !stopped.text.contains("<progress aria-label=\"Import\"")
    )
    server.on("/v1/entries?order=id&direction=asc&limit=500&after_entry_id=2", .ok("{\"entries\":[]}"))
    _ = await rig.post("import", form(server.url("/")))
    await rig.page.imports.finish()
    #expect(await rig.get("import").text.contains("continued after 2 items"))
    #expect(server.requests(to: "/v1/entries?order=id&direction=asc&limit=500").count == 1)
  }

  @Test func `A large import of one account does not delay that of another`() async throws {
    let (rig, other) = (try WebRig(), try WebRig())
    let note = ImportNote(source: "a.json", time: WebRig.now)
    let (hasBegun, mayEnd, isDone) = (Flag(), Flag(), Flag())
    defer { mayEnd.set() }
    let isStarted = try await rig.page.imports.start(note) { _ in
      hasBegun.set()
      while !mayEnd.isSet { usleep(1000) }
    }
    try await eventually { hasBegun.isSet }
    let isOtherStarted = try await other.page.imports.start(note) { _ in isDone.set() }
    #expect(isStarted && isOtherStarted)
    try await eventually { isDone.isSet }
    mayEnd.set()
    await rig.page.imports.finish()
    await other.page.imports.finish()
  }

  @Test func `After the end of the daemon the page says that the import was interrupted`() async throws {
    let server = try miniflux(.stall(after: Array("{".utf8), announced: 1000))
    let rig = try WebRig { $0.network.allowedAddresses = ["127.0.0.1/32"] }
    await rig.logIn()
    _ = await rig.post("import", form(server.url("/")))
    try await eventually { rig.page.imports.current.note?.done == 2 }
    // Orderly: another page on the same store, as after a restart.
    await rig.page.close()
    let later = ImportBoard(modules: rig.page.modules, clock: FixedClock())
    #expect(await later.note()?.state == .interrupted)
    // Killed: the note still says that it runs, and its last sign of life is old.
    func keep(_ age: Int64) async throws {
      var note = ImportNote(source: "https://old.example/", time: WebRig.now - age)
      note.server.address = "https://old.example/"
      note.owner = "another"
      let kept = try await rig.store.importPlace(of: "page")
      #expect(try await rig.store.replaceImportPlace(kept, by: note.json, of: "page"))
    }
    let draft = ImportNote(source: "a.json", time: WebRig.now)
    try await keep(ImportBoard.life - 1)
    #expect(await later.note()?.state == .running)
    #expect(try await later.start(draft) { _ in } == false)
    try await later.dismiss()
    #expect(await later.note()?.state == .running)
    try await keep(ImportBoard.life)
    #expect(await later.note()?.state == .interrupted)
    let page = await rig.get("import")
    #expect(page.text.contains("The import from https://old.example/ was interrupted"), "\(page.text)")
    #expect(page.text.contains("value=\"https://old.example/\""))
    #expect(try await later.start(draft) { _ in })
    await later.finish()
  }
}

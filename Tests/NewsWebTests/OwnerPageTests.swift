import DIContainer
import Modules
@testable import NewsCore
@testable import NewsHTTP
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: settings, password and backup` {
  @Test func `The start page, marking and order are those of all browsers`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One"), ParsedItem("Two")])
    await rig.logIn()
    let form = [("part", "account"), ("start", "/starred"), ("mark", "later"), ("oldest", "1")]
    #expect(await rig.post("settings", form).location == "/news/settings")
    #expect(await rig.get("").location == "/news/starred")
    let list = await rig.get("unread")
    #expect(list.text.contains("data-mark=\"later\"") && list.text.contains("Saved for all browsers."))
    #expect(list.all(from: "<h2 dir=\"auto\"><a href", to: "</a>").map { $0.suffix(3) } == ["Two", "One"])
    #expect(await rig.get("settings").text.contains("<option value=\"/starred\" selected>"))
    // A path that is no list of this page is refused.
    for path in ["//evil.example/", "/logout", "https://evil.example/"] {
      _ = await rig.post("settings", [("part", "account"), ("start", path)])
      #expect(await rig.get("").location == "/news/unread", "\(path)")
    }
    // The appearance is that of one browser.
    let answer = await rig.post("settings", [("theme", "dark")])
    #expect(answer.fields.first("Set-Cookie")?.contains("theme-dark") == true)
    #expect(try await rig.store.pageChoices().marking == .now)
  }

  @Test func `The time zone is one of all browsers, and must have the form of a name`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    #expect(await !rig.get("unread").text.contains("data-zone"))
    _ = await rig.post("settings", [("part", "account"), ("zone", " America/Argentina/Buenos_Aires ")])
    #expect(await rig.get("unread").text.contains("data-zone=\"America/Argentina/Buenos_Aires\""))
    for wrong in ["<b>", "/etc/localtime", "Europe Berlin", String(repeating: "x", count: 65)] {
      _ = await rig.post("settings", [("part", "account"), ("zone", wrong)])
      #expect(await rig.get("settings").text.contains("is not the name of a time zone"), "\(wrong)")
    }
    #expect(try await rig.store.pageChoices().zone == "America/Argentina/Buenos_Aires")
    _ = await rig.post("settings", [("part", "account"), ("zone", "")])
    #expect(try await rig.store.pageChoices().zone == nil)
  }

  @Test func `What the configuration fixes of reading is shown as fixed, and refused when it is posted`()
    async throws
  {
    let rig = try WebRig {
      $0.web.choices.marking = .never
      $0.web.choices.marksScrolled = true
      $0.web.choices.showsOldestFirst = false
      $0.web.choices.sortsTree = false
      $0.web.choices.zone = "Asia/Tokyo"
      $0.web.choices.start = "/folder/Work"
      $0.retention.keepDays = 9
    }
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let page = await rig.get("settings")
    #expect(page.count("(fixed in the configuration)") == 7 && page.count(" disabled") == 7)
    #expect(page.text.contains("<option value=\"/folder/Work\" selected>"))
    #expect(await rig.get("").location == "/news/folder/Work")
    let list = await rig.get("unread")
    #expect(list.text.contains("data-mark=\"never\"") && list.text.contains("data-zone=\"Asia/Tokyo\""))
    for (part, name, value, key) in [
      ("account", "mark", "later", "web.mark_read"), ("account", "scrolled", "1", "web.mark_scrolled"),
      ("account", "oldest", "1", "web.oldest_first"), ("account", "zone", "Europe/Berlin", "web.time_zone"),
      ("account", "tree", "1", "web.sort_tree"), ("account", "start", "/all", "web.start_page"),
      ("retention", "days", "30", "retention.keep_days"),
    ] {
      _ = await rig.post("settings", [("part", part), (name, value)])
      #expect(
        await rig.get("settings").text.contains("\(key) of the configuration fixes this setting"),
        "\(key)"
      )
    }
    #expect(try await rig.store.pageChoices() == PageChoices())
    // The form of the page has none of them.
    _ = await rig.post("settings", [("part", "account")])
    #expect(await rig.get("settings").text.contains("Saved for all browsers."))
    #expect(try await rig.store.pageChoices() == PageChoices())
  }

  @Test func `Limits on items are kept in the store, and those of the configuration are fixed`() async throws
  {
    let rig = try WebRig { $0.retention.keepItems = 9 }
    await rig.logIn()
    let page = await rig.get("settings")
    #expect(page.text.contains("Items of each feed (fixed in the configuration)"))
    #expect(page.text.contains("name=\"items\" min=\"1\" value=\"9\" disabled"))
    _ = await rig.post("settings", [("part", "retention"), ("days", "30")])
    #expect(try await rig.store.pageChoices().retention == RetentionPolicy(days: 30))
    #expect(await rig.get("settings").text.contains("name=\"days\" min=\"1\" value=\"30\""))
    for wrong in ["x", "-1", "999999999"] {
      _ = await rig.post("settings", [("part", "retention"), ("days", wrong)])
      #expect(await rig.get("settings").text.contains("note failure"), "\(wrong)")
    }
    #expect(try await rig.store.pageChoices().retention.days == 30)
    let rules = RetentionRules(general: RetentionPolicy(items: 9))
    let completed = rules.completed(by: try await rig.store.pageChoices())
    #expect(completed.general == RetentionPolicy(days: 30, items: 9))
    _ = await rig.post("settings", [("part", "retention"), ("days", "")])
    #expect(try await rig.store.pageChoices().retention.days == nil)
  }

  @Test func `The login password changes only with the present one`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    _ = await rig.post("password", [("current", "wrong"), ("new", "a new long password")])
    #expect(await rig.get("access").text.contains("The login password is wrong."))
    #expect(try await rig.store.loginPasswordHash() == nil)
    _ = await rig.post("password", [("current", "secret"), ("new", "short")])
    #expect(await rig.get("access").text.contains("must have at least 8 characters"))
    let answer = await rig.post("password", [("current", "secret"), ("new", "a new long password")])
    #expect(answer.status == 303)
    #expect(try await rig.store.loginPasswordHash() != nil)
    #expect(await rig.post("password", [("current", "secret")], hasToken: false).status == 403)
  }

  @Test func `A password of the configuration is not changed on the page`() async throws {
    let rig = try WebRig { $0.web.passwordFile = "/nonexistent" }
    await rig.logIn()
    #expect(await rig.get("access").text.contains("web.password_file"))
    _ = await rig.post("password", [("current", "secret"), ("new", "a new long password")])
    #expect(try await rig.store.loginPasswordHash() == nil)
  }

  @Test func `A backup needs the login password, and has the items`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One of the items")])
    await rig.logIn()
    #expect(await rig.post("backup", [("current", "wrong")]).location == "/news/settings#backup")
    #expect(await rig.get("settings").text.contains("The login password is wrong."))
    let answer = await rig.post("backup", [("current", "secret")])
    #expect(answer.fields.first("Content-Disposition")?.contains("newsd-2026-11-12.db") == true)
    let stream = try #require(answer.stream)
    var bytes: [UInt8] = []
    while let piece = try await stream.next() { bytes += piece }
    #expect(bytes.starts(with: "SQLite format 3\0".utf8) && bytes.count % 4096 == 0)
    #expect(String(decoding: bytes, as: UTF8.self).contains("One of the items"))
    #expect(rig.account.state.withLock { $0.sessions.count } == 1, "the check leaves no session")
  }

  @Test func `A style sheet of one's own is loaded after that of newsd`() async throws {
    let rig = try WebRig()
    let page = WebPage(
      modules: rig.page.modules,
      account: rig.account,
      clock: FixedClock(),
      ownStyle: Array("h1 { color: red }".utf8)
    )
    let request = HTTPRequest(path: ["login"], site: WebSite(host: "127.0.0.1:8788"))
    let answer = Answer(await page.reply(to: request))
    let sheets = answer.all(from: "rel=\"stylesheet\" href=\"", to: "\"")
    #expect(sheets.count == 2)
    let name = try #require(sheets.last?.split(separator: "/").last.map(String.init))
    let files = try #require(page.routes.first { $0.path == ["static"] })
    let file = HTTPRequest(path: ["static", name], site: WebSite(host: "127.0.0.1:8788"))
    #expect(Answer(await files.handler.reply(to: file)).text == "h1 { color: red }")
  }
}

@Suite struct `Web page: pictures of rows, articles and failing feeds` {
  @Test func `A row has the first picture of its item, but no smiley`() async throws {
    let rig = try WebRig()
    var given = ParsedItem("Given")
    given.image = "https://p.example/given.png"
    let small = "<img src='https://p.example/smiley.png' width='16' height='16'>"
    let large = "<p>a</p>\(small)<img src=\"https://p.example/large.png?a=1&amp;b=2\" width=\"640\">"
    try await rig.fill([
      given, ParsedItem("Text", html: large), ParsedItem("Small", html: "<p>\(small)</p>"),
      ParsedItem("None"),
    ])
    await rig.logIn()
    let page = await rig.get("unread")
    let rows = page.all(from: "<article", to: "</article>")
    #expect(rows.map { $0.contains("class=\"thumb\"") } == [true, true, false, false])
    #expect(rows[0].contains("src=\"https://p.example/given.png\""))
    #expect(
      rows[1].contains("src=\"https://p.example/large.png?a=1&amp;b=2\"")
        && rows[1].contains("loading=\"lazy\"")
    )
    #expect(rows[1].contains("tabindex=\"-1\" aria-hidden=\"true\""))
    #expect(await rig.get("search", "q=text").count("class=\"thumb\"") == 1)
  }

  @Test func `The answer about whole articles is a setting of the feed`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let path = "feed/\(feed.id.rawValue)/article"
    #expect(await rig.post(path, [("article", "sometimes")]).status == 400)
    _ = await rig.post(path, [("article", "always"), ("from", "/item/1")])
    #expect(try await rig.store.feed(feed.id).settings.article == .always)
    let answer = await rig.post(path, [("article", "never"), ("from", "/item/1")])
    #expect(answer.location == "/news/item/1")
    #expect(try await rig.store.feed(feed.id).settings.article == .never)
  }

  @Test func `Statistics have the items a week, what is read, and silent feeds`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill((1...10).map { ParsedItem("Item \($0)") }, title: "Busy")
    _ = try await rig.store.add(NewFeed(url: "https://b.example/", title: "Empty"), at: WebRig.now)
    _ = try await rig.store.mark(try await rig.ids().prefix(4).map { NewsItem.ID(rawValue: $0) }, .read)
    let counts = try await rig.store.itemCounts(since: WebRig.now + -86_400)
    #expect(counts.count == 1 && counts[feed.id]?.items == 10 && counts[feed.id]?.read == 4)
    var old = ParsedItem("Of another time")
    old.published = WebRig.now + -100 * 86_400
    try await rig.fill([old], title: "Dead")
    await rig.logIn()
    let page = await rig.get("statistics")
    let rows = page.all(from: "<tr>", to: "</tr>").dropFirst()
    #expect(rows.count == 3)
    // The feed's item was stored just now; what counts is when it was published.
    #expect(
      rows.contains { $0.contains("Dead") && $0.contains(old.published!.rfc3339) && $0.contains("silent") }
    )
    #expect(rows.first?.contains(">2.5</td>") == true && rows.first?.contains(">40 %</td>") == true)
    #expect(rows.contains { $0.contains("Empty") && $0.contains("silent") })
  }

  @Test func `A failing feed has buttons for what can be done`() async throws {
    let rig = try WebRig()
    let feed = try await rig.store.add(NewFeed(url: "https://b.example/", title: "Beta"), at: WebRig.now)
    let state = FetchState(
      nextDue: WebRig.now + 600,
      nextDueReason: .backoff(3),
      lastStatus: 404,
      failures: 3,
      lastError: "404 Not Found"
    )
    _ = try await rig.store.commit([
      RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: WebRig.now)
    ])
    await rig.logIn()
    let page = await rig.get("feeds", "show=failing")
    let path = "/news/feed/\(feed.id.rawValue)/"
    for action in ["refresh", "settings", "remove"] {
      #expect(page.text.contains("action=\"\(path)\(action)\""), "\(action)")
    }
    let changed = await rig.post(
      "feed/\(feed.id.rawValue)/settings",
      [("url", "https://c.example/feed"), ("from", "/feeds?show=failing")]
    )
    #expect(changed.location == "/news/feeds?show=failing")
    #expect(try await rig.store.feed(feed.id).url == "https://c.example/feed")
    let removed = await rig.post("feed/\(feed.id.rawValue)/remove", [("from", "/feeds?show=failing")])
    #expect(removed.location == "/news/feeds?show=failing")
  }
}

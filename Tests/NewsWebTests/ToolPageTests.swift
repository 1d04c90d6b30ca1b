import NewsHTTP
import Modules
import NewsCore
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: rules, searches, passwords` {
  @Test func `A rule is tried on stored items before it is added, and removed again`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Sponsored one"), ParsedItem("News")])
    await rig.logIn()
    let form = [(name: "query", value: "title:sponsored"), (name: "mark-read", value: "1")]
    let trial = await rig.post("rules", form + [("do", "try")])
    #expect(trial.text.contains("Matches 1 stored item") && trial.text.contains("Sponsored one"))
    #expect(trial.text.contains("value=\"title:sponsored\"") && trial.text.contains(" checked"))
    #expect(try await rig.store.rules().isEmpty)
    #expect(await rig.post("rules", form + [("tag", "ads"), ("do", "add")]).location == "/news/rules")
    #expect(try await rig.store.rules().map(\.actionList) == ["mark-read, tag:ads"])
    let list = await rig.get("rules").text
    #expect(list.contains("Added the rule.") && list.contains(">marks read, adds the tag &#39;ads&#39;</td>"))
    let stale = [
      (name: "do", value: "remove"), (name: "number", value: "1"), (name: "former", value: "other"),
    ]
    _ = await rig.post("rules", stale)
    #expect(try await rig.store.rules().count == 1)
    _ = await rig.post("rules", [("do", "remove"), ("number", "1"), ("former", "title:sponsored")])
    #expect(try await rig.store.rules().isEmpty)
    #expect(await rig.get("rules").text.contains("Removed rule 1."))
  }

  @Test func `A rule is changed, moved and given an end, and shows it with its hits`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("News")])
    await rig.logIn()
    for query in ["title:one", "title:two"] {
      _ = await rig.post("rules", [("query", query), ("star", "1"), ("until", "7d"), ("do", "add")])
    }
    let end = WebRig.now + 7 * 86_400
    #expect(try await rig.store.rules().map(\.until) == [end, end])
    try await rig.refresh(feed, [ParsedItem("One"), ParsedItem("Two"), ParsedItem("One more")])
    let list = await rig.get("rules")
    let rows = list.all(from: "<tr>", to: "</tr>").dropFirst()
    #expect(rows.map { $0.contains("value=\"up\"") } == [false, true])
    #expect(rows.map { $0.contains("value=\"down\"") } == [true, false])
    #expect(rows.first?.contains("data-label=\"matched items\">2<") == true)
    #expect(rows.allSatisfy { $0.contains("datetime=\"\(end.rfc3339)\"") })
    _ = await rig.post("rules", [("do", "up"), ("number", "2"), ("former", "title:two")])
    #expect(try await rig.store.rules().map(\.query) == ["title:two", "title:one"])
    #expect(await rig.get("rules").text.contains("Moved rule 2 up."))
    _ = await rig.post("rules", [("do", "down"), ("number", "1"), ("former", "title:one")])
    #expect(try await rig.store.rules().map(\.query) == ["title:two", "title:one"], "It was another rule.")
    let form = await rig.get("rules", "edit=2")
    #expect(form.text.contains("Change rule 2") && form.text.contains("value=\"\(end.rfc3339)\""))
    let number = [
      (name: "number", value: "2"), (name: "former", value: "title:one"), (name: "do", value: "edit"),
    ]
    let wrong = await rig.post("rules", number + [("query", "title:one"), ("star", "1"), ("until", "soon")])
    #expect(
      wrong.status == 400 && wrong.text.contains("Change rule 2") && wrong.text.contains("value=\"soon\"")
    )
    let saved = await rig.post("rules", number + [("query", "title:one"), ("mark-read", "1"), ("until", "")])
    #expect(saved.location == "/news/rules")
    let rule = try await rig.store.rules()[1]
    #expect(rule.query == "title:one" && rule.actions == [.markRead] && rule.until == nil && rule.hits == 2)
  }

  @Test(arguments: [
    ([("query", "title:x"), ("do", "add")], "Choose what the rule does"),
    ([("query", "title:x"), ("drop", "1"), ("star", "1"), ("do", "add")], "no other action"),
    ([("query", "colour:x"), ("star", "1"), ("do", "add")], "colour"),
    ([("query", "colour:x"), ("do", "try")], "colour"),
  ])
  func `An invalid rule is refused with a message beside the form`(_ form: [(String, String)], _ text: String)
    async throws
  {
    let rig = try WebRig()
    await rig.logIn()
    let answer = await rig.post("rules", form.map { ($0.0, $0.1) })
    #expect(answer.status == 400)
    #expect(answer.text.contains("role=\"alert\"") && answer.text.contains(text))
    #expect(answer.text.contains("value=\"\(form[0].1)\""))
    #expect(try await rig.store.rules().isEmpty)
  }

  @Test func `A search can be saved, is shown with the address of its feed, and can be removed`() async throws
  {
    let rig = try WebRig()
    await rig.logIn()
    let form = await rig.get("searches", "q=linux%2A&part=menu&from=/search?q=linux").text
    #expect(form.contains("value=\"linux*\"") && form.contains("value=\"linux\""))
    #expect(form.contains("value=\"/search?q=linux\"") && !form.contains("<html"))
    let saved = await rig.post("searches", [("name", "x"), ("query", "linux"), ("from", "/search?q=linux")])
    #expect(saved.location == "/news/search?q=linux")
    #expect(await rig.get("search", "q=linux").text.contains("Saved the search x."))
    _ = await rig.post("searches", [("remove", "x")])
    #expect(await rig.get("searches", "q=linux").text.contains("value=\"linux\""))
    _ = await rig.post("searches", [("name", "A/b ü"), ("query", "linux")])
    let page = await rig.get("searches")
    #expect(page.text.contains("href=\"/news/q/A%2Fb%20%C3%BC.atom\""))
    #expect(page.text.contains("href=\"/news/saved/A%2Fb%20%C3%BC\""))
    #expect(await rig.post("searches", [("name", "x"), ("query", "colour:red")]).status == 400)
    #expect(await rig.post("searches", [("name", " "), ("query", "red")]).status == 400)
    _ = await rig.post("searches", [("remove", "A/b ü")])
    #expect(try await rig.store.savedSearches().isEmpty)
  }

  @Test func `An app password is shown once`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    _ = await rig.post("access", [("add", "Phone")])
    #expect(await rig.get("access").text.contains("<code>abcdefghijklmnopqrstuvwx</code>"))
    let again = await rig.get("access")
    #expect(!again.text.contains("abcdefghijklmnopqrstuvwx") && again.text.contains(">Phone</td>"))
    _ = await rig.post("access", [("add", "Phone")])
    #expect(await rig.get("access").text.contains("role=\"alert\""))
    _ = await rig.post("access", [("add", String(repeating: "x", count: 101))])
    #expect(await rig.get("access").text.contains("must have 1 to 100 bytes"))
    _ = await rig.post("access", [("revoke", "Phone")])
    #expect(try await rig.account.apps().isEmpty)
  }

  @Test func `Sessions can be ended, including the current one`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    await rig.logIn()
    // The second log-in of the browser ended its first session.
    #expect(try await rig.account.sessions().map(\.id) == [2])
    let other = WebSession(
      id: 9,
      made: WebRig.now,
      lastSeen: WebRig.now,
      agent: "Other",
      address: "192.0.2.1"
    )
    rig.account.state.withLock { $0.sessions.append(other) }
    let page = await rig.get("access").text
    #expect(page.contains("(this one)") && page.contains("<td title=\"Other\">Other</td>"))
    #expect(await rig.post("access", [("end", "9")]).location == "/news/access")
    #expect(try await rig.account.sessions().map(\.id) == [2])
    #expect(await rig.post("access", [("end", "2")]).location == "/news/login")
    #expect(await rig.get("unread").location == "/news/login?to=%2Funread")
  }

  @Test func `The page's keyboard shortcuts can be turned off`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    #expect(await rig.get("unread").text.contains("data-keys=\"on\""))
    let answer = await rig.post("settings", [("density", "compact"), ("theme", "<b>"), ("mark", "later")])
    let cookie = try #require(answer.fields.first("Set-Cookie"))
    #expect(
      cookie.contains("newsd-view=keys-off.mark-later.density-compact.theme-auto")
        && cookie.contains("HttpOnly")
    )
    let page = await rig.get("unread", fields: [("Cookie", "newsd-view=keys-off")])
    #expect(page.text.contains("data-keys=\"off\""))
  }

  @Test func `Open pages receive marks, new items and the progress of a refresh`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One"), ParsedItem("Two")])
    let ids = try await rig.ids()
    let events = PageEvents(
      modules: rig.page.modules,
      navigator: rig.page.navigator,
      refreshes: rig.page.refreshes,
      imports: rig.page.imports,
      pause: { true }
    )
    func next() async throws -> String? {
      try await events.next().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try await next() == "retry: 5000\n\n")
    _ = try await rig.store.mark([NewsItem.ID(rawValue: ids[0])], .read)
    let marks = try #require(try await next())
    #expect(marks.contains("event: marks\ndata: [{\"id\":\(ids[0]),\"read\":true,\"starred\":false}]\n\n"))
    #expect(marks.contains("event: unread\ndata: 1\n\n"))
    try await rig.refresh(feed, [ParsedItem("Three"), ParsedItem("Four")])
    let arrived = try #require(try await next())
    #expect(
      arrived.contains("event: arrived\ndata: [1,1]\n\n") && arrived.contains("event: unread\ndata: 3\n\n")
    )
    #expect(rig.page.refreshes.start(RefreshRoute(feeds: ["nothing"])))
    await rig.page.refreshes.finish()
    #expect(try #require(try await next()).contains("\"failed\":true"))
    #expect(try await next() == ": nothing new\n\n")
  }

  @Test func `A page that is loaded after a refresh tells nothing of it, unless it failed`() async throws {
    let rig = try WebRig(fetcher: FakeNetwork())
    _ = try await rig.store.add(NewFeed(url: "https://site.example/two.xml", title: "Two"), at: WebRig.now)
    func told() async throws -> String {
      let events = PageEvents(
        modules: rig.page.modules,
        navigator: rig.page.navigator,
        refreshes: rig.page.refreshes,
        imports: rig.page.imports,
        pause: { true }
      )
      return String(decoding: try await events.next() ?? [], as: UTF8.self)
    }
    #expect(rig.page.refreshes.start(RefreshRoute()))
    await rig.page.refreshes.finish()
    let view = RefreshNoticeView(container: rig.page.refreshes.current.container)
    #expect(view.state.text == "Refreshed: 1 new item.")
    // It takes back what the page may show of the refresh while it ran.
    #expect(try await told().contains("event: refresh\ndata: {\"text\":\"\","))
    #expect(rig.page.refreshes.start(RefreshRoute(feeds: ["nothing"])))
    await rig.page.refreshes.finish()
    #expect(try await told().contains("\"failed\":true"))
  }

  @Test func `An open page receives the counts of saved searches when they have been counted`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("A bridge"), ParsedItem("Two bridges"), ParsedItem("Three roads")])
    await rig.logIn()
    _ = await rig.post("searches", [("name", "Over & out"), ("query", "bridge OR bridges")])
    let events = PageEvents(
      modules: rig.page.modules,
      navigator: rig.page.navigator,
      refreshes: rig.page.refreshes,
      imports: rig.page.imports,
      pause: {
        try await Task.sleep(for: .milliseconds(10))
        return true
      }
    )
    func isTold(_ number: Int) async throws -> Bool {
      for _ in 0..<200 {
        let told = String(decoding: try await events.next() ?? [], as: UTF8.self)
        if told.contains("event: searches\ndata: {\"/saved/Over%20%26%20out\":\(number)}\n\n") { return true }
      }
      return false
    }
    _ = await rig.get("starred")
    #expect(try await isTold(2))
    // No page asks for the counts after this mark, which comes in the pause after the first counting.
    _ = try await rig.store.mark([NewsItem.ID(rawValue: rig.ids()[0])], .read)
    #expect(try await isTold(1))
  }

  @Test func `An open page receives all of 450 new items after one check, in pieces of 200`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")])
    // The store changes before the first check only.
    let checks = Mutex(0)
    let events = PageEvents(
      modules: rig.page.modules,
      navigator: rig.page.navigator,
      refreshes: rig.page.refreshes,
      imports: rig.page.imports,
      pause: {
        checks.withLock { count in
          count += 1
          return count == 1
        }
      }
    )
    _ = try await events.next()
    try await rig.refresh(feed, (1...450).map { ParsedItem("Item \($0)") })
    for count in [200, 200, 50] {
      let event = String(decoding: try #require(try await events.next()), as: UTF8.self)
      let feeds = Array(repeating: "1", count: count).joined(separator: ",")
      #expect(event.contains("event: arrived\ndata: [\(feeds)]\n\n"), "\(event.prefix(200))")
    }
    #expect(checks.withLock { $0 } == 1)
    #expect(try await events.next() == Array(": nothing new\n\n".utf8))
    // Removed items tell the page of the count at most; what comes after them does not wait.
    try await rig.store.remove(feed.id)
    try await rig.fill([ParsedItem("Two")], title: "Other")
    checks.withLock { $0 = 0 }
    var told: [String] = []
    for _ in 0..<3 where told.last?.contains("event: arrived\ndata: [2]\n\n") != true {
      told.append(String(decoding: try #require(try await events.next()), as: UTF8.self))
    }
    #expect(told.last?.contains("event: arrived\ndata: [2]\n\n") == true, "\(told)")
    #expect(checks.withLock { $0 } == 1)
  }

  @Test func `At most 32 open pages can follow changes of the store`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    var open: [Answer] = []
    let fields = [(name: "Accept", value: "text/event-stream"), ("Sec-Fetch-Dest", "empty")]
    for _ in 0..<32 { open.append(await rig.get("events", fields: fields)) }
    #expect(open.allSatisfy { $0.status == 200 && $0.stream?.isEndless == true })
    #expect(await rig.get("events", fields: fields).status == 503)
    open.removeFirst()
    #expect(await rig.get("events", fields: fields).status == 200)
  }
}

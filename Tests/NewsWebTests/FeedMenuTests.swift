import Glibc
import NewsHTTP
import Modules
import NewsCore
import NewsToolbox
import TestSupport
import Testing

@testable import NewsWeb

/// Threads are never ended.
private let threads = TaskThreads(1)

@Suite struct `Web page: menus of feeds and folders` {
  @Test func `A hidden feed is left out of Unread and All, and stays in its own list and in search`()
    async throws
  {
    let rig = try WebRig()
    let loud = try await rig.fill(
      [ParsedItem("Noise one"), ParsedItem("Noise two")],
      title: "Loud",
      folder: "News"
    )
    try await rig.fill([ParsedItem("Quiet one")], title: "Quiet!")
    await rig.logIn()
    let path = "feed/\(loud.id.rawValue)"
    #expect(await rig.get("unread").count("<article") == 3)
    let menu = await rig.get("\(path)/menu", "part=menu&from=%2Funread")
    #expect(menu.text.contains("Hide from Unread and All") && !menu.text.contains("<html"))
    let answer = await rig.post("\(path)/flags", [("hidden", "true"), ("from", "/unread")])
    #expect(answer.location == "/news/unread")
    for list in ["unread", "all"] {
      let page = await rig.get(list)
      #expect(page.count("<article") == 1 && page.text.contains("data-unread>1<"), "\(list)")
    }
    #expect(await rig.get("unread").text.contains("title=\"hidden\" class=\"off\""))
    #expect(await rig.get(path).count("<article") == 2)
    #expect(await rig.get("folder/News").count("<article") == 2)
    #expect(await rig.get("search", "q=noise").count("<article") == 2)
    _ = await rig.post("marks", [("as", "read"), ("list", "/unread"), ("older", "0")])
    #expect(try await rig.store.feeds().map(\.unreadCount) == [2, 0])
    #expect(await rig.get("\(path)/menu").text.contains("Show in Unread and All"))
    _ = await rig.post("\(path)/flags", [("hidden", "")])
    #expect(await rig.get("unread").count("<article") == 2)
  }

  @Test func `A paused feed is shown as paused, is not refreshed with the others, and is resumed`()
    async throws
  {
    let rig = try WebRig(fetcher: FakeNetwork())
    let feed = try await rig.store.add(
      NewFeed(url: "https://site.example/two.xml", title: "Two"),
      at: WebRig.now
    )
    await rig.logIn()
    let path = "feed/\(feed.id.rawValue)"
    _ = await rig.post("\(path)/flags", [("paused", "true")])
    #expect(try await rig.store.feed(feed.id).settings.isPaused == true)
    #expect(await rig.get("feeds").text.contains(">paused</span>"))
    _ = await rig.post("refresh")
    await rig.page.refreshes.finish()
    #expect(try await rig.store.feed(feed.id).itemCount == 0)
    #expect(await rig.get("\(path)/menu").text.contains(">Resume</button>"))
    _ = await rig.post("\(path)/flags", [("paused", "")])
    _ = await rig.post("refresh")
    await rig.page.refreshes.finish()
    #expect(try await rig.store.feed(feed.id).itemCount == 1)
  }

  @Test func `The menu of a feed unsubscribes after a confirmation`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let menu = await rig.get("feed/\(feed.id.rawValue)/menu")
    let removal = try #require(menu.all(from: "<summary>Unsubscribe…", to: "</details>").first)
    #expect(removal.contains("The feed, its items and their marks are removed."))
    #expect(removal.contains("action=\"/news/feed/\(feed.id.rawValue)/remove\""))
    // Its settings have no Undo.
    #expect(!removal.contains("This cannot be undone."))
    #expect(await rig.get("feed/\(feed.id.rawValue)/settings").text.contains("This cannot be undone."))
  }

  @Test func `The tree is ordered by hand, or by name`() async throws {
    let rig = try WebRig()
    for (title, folder) in [("Zebra", nil), ("Papers", "News"), ("ant", nil), ("Blog", "Art")] {
      try await rig.fill([ParsedItem(title)], title: title, folder: folder)
    }
    await rig.logIn()
    func form(_ entry: String, _ place: String, _ other: String = "") -> [(name: String, value: String)] {
      [("entry", entry), ("to", place), ("other", other), ("from", "/all")]
    }
    func tree() async -> [String] {
      let aside = await rig.get("unread").all(from: "<aside>", to: "</aside>").first ?? ""
      return ["Zebra", "News", "Papers", "ant", "Art", "Blog"].map { name in
        (
          name,
          aside.split(separator: "\(name)</span>", maxSplits: 1, omittingEmptySubsequences: false)[0].utf8
            .count
        )
      }.sorted { $0.1 < $1.1 }.map(\.0)
    }
    #expect(await tree() == ["Zebra", "News", "Papers", "ant", "Art", "Blog"])
    #expect(await rig.get("feed/1/menu").text.contains("Move up"))
    let moved = await rig.post("tree", form("/folder/Art", "up"))
    #expect(moved.location == "/news/all")
    #expect(await tree() == ["Zebra", "News", "Papers", "Art", "Blog", "ant"])
    let json = [(name: "Accept", value: "application/json")]
    #expect(await rig.post("tree", form("/feed/1", "after", "/folder/News"), fields: json).text == "{}")
    #expect(await tree() == ["News", "Papers", "Zebra", "Art", "Blog", "ant"])
    #expect(await rig.post("tree", form("/feed/1", "after", "/folder/No"), fields: json).status == 409)
    for wrong in [form("/all", "up"), form("/feed/1", "in"), form("", "up"), form("/feed/1", "before")] {
      #expect(await rig.post("tree", wrong).status == 400, "\(wrong)")
    }
    _ = await rig.post("settings", [("part", "account"), ("tree", "1")])
    #expect(await tree() == ["Art", "Blog", "News", "Papers", "ant", "Zebra"])
    #expect(!(await rig.get("feed/1/menu")).text.contains("Move up"))
    #expect(!(await rig.get("all")).text.contains("data-arranged"))
    #expect(try await rig.store.feeds().first?.title == "Papers")
  }

  @Test func `The tree counts the unread matches of saved searches, which a button marks read`() async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("A bridge"), ParsedItem("Two bridges"), ParsedItem("Three roads")])
    await rig.logIn()
    _ = await rig.post("searches", [("name", "Over & out"), ("query", "bridge OR bridges")])
    func entries() async -> [String] {
      let aside = await rig.get("starred").all(from: "<aside>", to: "</aside>").first ?? ""
      return aside.split(separator: "<li>").map(String.init).filter { $0.contains("/saved/") }
    }
    // Pages do not wait for the counts.
    func isCounted(_ count: String) async throws -> Bool {
      for _ in 0..<200 {
        if await entries().contains(where: { $0.contains("<span class=\"count\">\(count)</span>") }) {
          return true
        }
        try await Task.sleep(for: .milliseconds(20))
      }
      return false
    }
    #expect(try await isCounted("2"))
    let button = "form=\"catch-up\" name=\"list\" value=\"/saved/Over%20%26%20out\""
    #expect(await entries().first?.contains(button) == true)
    let form = [
      (name: "as", value: "read"), (name: "older", value: "0"),
      (name: "list", value: "/saved/Over%20%26%20out"),
    ]
    _ = await rig.post("marks", form)
    #expect(try await rig.store.feeds().map(\.unreadCount) == [1])
    #expect(try await isCounted(""))
  }

  @Test func `Saved searches are counted in the turns of the account`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("A bridge")])
    try await rig.store.save(SavedSearch(name: "Bridges", query: "bridge"), at: WebRig.now)
    let turns = TaskTurns(threads, most: 1)
    let navigator = Navigator(modules: rig.page.modules, clock: FixedClock(), turns: turns)
    let mayEnd = Flag()
    defer { mayEnd.set() }
    let long = Task(executorPreference: turns) { while !mayEnd.isSet { usleep(1000) } }
    #expect(await navigator.navigation().searches.map(\.unread) == [0])
    try await Task.sleep(for: .milliseconds(100))
    #expect(navigator.searchCounts.isEmpty)
    mayEnd.set()
    await long.value
    try await eventually { await navigator.navigation().searches.map(\.unread) == [1] }
  }

  @Test func `A button of the tree marks a folder read from any page, and can be undone`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One"), ParsedItem("Two")], title: "Alpha", folder: "News/World & more")
    try await rig.fill([ParsedItem("Three")], title: "Beta")
    await rig.logIn()
    let page = await rig.get("starred")
    let aside = try #require(page.all(from: "<aside>", to: "</aside>").first)
    for list in ["/folder/News", "/folder/News/World%20%26%20more", "/feed/1", "/feed/2"] {
      #expect(aside.contains("form=\"catch-up\" name=\"list\" value=\"\(list)\""), "\(list)")
    }
    #expect(page.count("id=\"catch-up\"") == 1 && aside.contains("Mark News read"))
    let form = [(name: "as", value: "read"), (name: "older", value: "0"), (name: "from", value: "/starred")]
    let answer = await rig.post("marks", form + [("list", "/folder/News")])
    #expect(answer.location == "/news/starred")
    #expect(try await rig.store.feeds().map(\.unreadCount) == [0, 1])
    #expect(await rig.get("starred").text.contains("/news/undo"))
    _ = await rig.post("undo")
    #expect(try await rig.store.feeds().map(\.unreadCount) == [2, 1])
  }

  @Test func `A folder is renamed, paused and removed; its feeds stay`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")], title: "Alpha", folder: "News/World")
    await rig.logIn()
    #expect(await rig.get("folders", "name=News").text.contains("Rename or move"))
    #expect(await rig.get("folders", "name=Nowhere").status == 404)
    let active = await rig.get("folders", "name=News").text
    #expect(active.contains(">Pause its feeds<") && !active.contains(">Resume its feeds<"))
    #expect(active.contains(">Hide from Unread and All<") && !active.contains(">Show in Unread and All<"))
    #expect(await rig.get("unread").text.contains("href=\"/news/folders?name=News%2FWorld\""))
    let form = [(name: "name", value: "News"), (name: "from", value: "/folder/News")]
    let renamed = await rig.post("folders", form + [("do", "rename"), ("to", "Papers")])
    #expect(renamed.location == "/news/folder/Papers")
    #expect(try await rig.store.feeds()[0].folder == "Papers/World")
    _ = await rig.post("folders", [("name", "Papers"), ("do", "set"), ("paused", "true")])
    #expect(try await rig.store.feeds()[0].settings.isPaused == true)
    let paused = await rig.get("folders", "name=Papers").text
    #expect(!paused.contains(">Pause its feeds<") && paused.contains(">Resume its feeds<"))
    let refused = await rig.post("folders", [("name", "Papers"), ("do", "refresh")])
    #expect(refused.location == "/news/unread")
    #expect(await rig.get("unread").text.contains("no feed to refresh"))
    _ = await rig.post("folders", [("name", "Papers/World"), ("do", "remove")])
    #expect(try await rig.store.feeds().map(\.folder) == [nil])
    #expect(await rig.post("folders", [("name", "x"), ("do", "remove")], hasToken: false).status == 403)
  }
}

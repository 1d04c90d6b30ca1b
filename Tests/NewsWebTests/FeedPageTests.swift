@testable import NewsHTTP
import Modules
@testable import NewsCore
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: feeds` {
  @Test func `The table lists every feed with its state, and the chart has a label`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One"), ParsedItem("Two")], title: "Alpha", folder: "News")
    let failing = try await rig.store.add(NewFeed(url: "https://b.example/", title: "Beta"), at: WebRig.now)
    var state = FetchState(
      nextDue: WebRig.now + 600,
      nextDueReason: .backoff(3),
      lastStatus: 404,
      failures: 3,
      lastError: "404 Not Found"
    )
    state.failingSince = WebRig.now + -3600
    let record = RefreshRecord(feedID: failing.id, state: state, parsed: nil, time: WebRig.now)
    _ = try await rig.store.commit([record])
    await rig.logIn()
    let page = await rig.get("feeds")
    #expect(page.text.contains("<bdi>Alpha</bdi></a>") && page.text.contains("<bdi>Beta</bdi></a>"))
    #expect(page.text.contains("<figure class=\"chart\"><figcaption><strong>Items a day</strong>"))
    #expect(page.text.contains("aria-label=\"2 items in 30 days, at most 2 in one day\""))
    let cause = "<bdi>404 Not Found</bdi> · since <time datetime=\"2026-11-12T11:00:00Z\">"
    #expect(page.text.contains(cause) && page.text.contains("Check the URL"))
    #expect(page.text.contains("2026-11-12 12:10") && page.text.contains("after 3 failures"))
    #expect(page.count("type=\"file\"") == 1)
    let failingOnly = await rig.get("feeds", "show=failing")
    #expect(failingOnly.text.contains("<bdi>Beta</bdi></a>"))
    #expect(!failingOnly.text.contains("<bdi>Alpha</bdi></a>"))
    let list = await rig.get("feed/\(failing.id.rawValue)")
    #expect(list.text.contains("newsd cannot fetch this feed.") && list.text.contains("404 Not Found"))
    #expect(list.text.contains("Check the URL") && !list.text.contains("newsd feeds set"))
    #expect(list.text.contains(">Try again</button>") && !list.text.contains("There are no items yet."))
    let settings = await rig.get("feed/\(failing.id.rawValue)/settings")
    let next = "<time datetime=\"2026-11-12T12:10:00Z\">2026-11-12 12:10</time> (after 3 failures)"
    #expect(settings.text.contains("<dt>Next poll</dt><dd>\(next)</dd>"))
    #expect(settings.text.contains("<dt>Last answer</dt><dd>an error (404)</dd>"))
    #expect(list.text.contains("title=\"fails\" class=\"failing\""))
    let working = await rig.get("feed/1")
    #expect(!working.text.contains("cannot fetch") && working.count("class=\"failing\"") == 1)
  }

  @Test func `A long list of feeds has pages`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")], title: "Alpha", folder: "News")
    let new = (1...450).map {
      NewFeed(url: "https://\($0).example/", title: "Feed \($0)", folder: "Many/\($0 % 7)")
    }
    _ = try await rig.store.add(new, at: WebRig.now)
    await rig.logIn()
    let first = await rig.get("feeds")
    #expect(first.count("/settings\">Settings<span") == 200 && first.text.contains("Page 1 of 3 · 451 feeds"))
    #expect(first.text.contains("href=\"/news/feeds?page=2\"") && !first.text.contains("rel=\"prev\""))
    #expect(first.text.contains("value=\"Many/6\"") && first.text.contains("value=\"Many\""))
    let last = await rig.get("feeds", "page=3")
    #expect(last.count("/settings\">Settings<span") == 51 && last.text.contains("Feed 450</bdi></a>"))
    #expect(last.text.contains("href=\"/news/feeds?page=2\"") && !last.text.contains("rel=\"next\""))
    #expect(await rig.get("feeds", "page=4").text.contains("There are no more feeds."))
    #expect(await rig.get("feeds", "show=failing").text.contains("No feed fails"))
    #expect(await rig.get("feed/2").text.contains("<title>Feed 1 · newsd</title>"))
    #expect(await rig.get("feed/999").status == 404)
  }

  @Test
  func
    `The tree has all feeds; of more than 1,000, those with unread items, those that fail and the current one`()
    async throws
  {
    let rig = try WebRig()
    let unread = try await rig.fill([ParsedItem("One")], title: "Alpha", folder: "News")
    func add(_ numbers: ClosedRange<Int>) async throws -> [Feed.ID] {
      let new = numbers.map {
        NewFeed(url: "https://\($0).example/", title: "Feed \($0)", folder: "Many/\($0 % 7)")
      }
      return try await rig.store.add(new, at: WebRig.now).added.map(\.id)
    }
    let feeds = try await add(1...999)
    await rig.logIn()
    let path = "feed/\(feeds[1].rawValue)"
    let current = "data-feed=\"\(feeds[1].rawValue)\" aria-current=\"page\""
    let all = await rig.page.navigator.navigation().feeds
    #expect(Set(all) == Set([unread.id] + feeds))
    let whole = await rig.get(path).text
    #expect(whole.contains(current) && !whole.contains("more feeds"))
    _ = try await add(1000...1100)
    var state = FetchState.unfetched
    state.failures = 3
    let record = RefreshRecord(feedID: feeds[8], state: state, parsed: nil, time: WebRig.now)
    _ = try await rig.store.commit([record])
    rig.page.navigator.forget()
    let tree = await rig.get("unread", "part=tree")
    #expect(await rig.page.navigator.navigation().feeds == [unread.id, feeds[8]])
    #expect(tree.text.contains("title=\"fails\" class=\"failing\"") && tree.text.contains("1099 more feeds"))
    #expect(await rig.get(path).text.contains(current))
    let beside = await rig.get(path, "part=tree").text
    #expect(beside.contains(current) && beside.contains("/folder/Many/2\" data-folder"))
    let folder = await rig.get("folder/Many/5", "part=tree").text
    #expect(folder.contains("/folder/Many/5\" data-folder aria-current=\"page\""))
    #expect(!(await rig.get("folder/Elsewhere", "part=tree")).text.contains(">Elsewhere<"))
    // Marks and parts of pages do without the feeds.
    let numbers = await rig.page.navigator.navigation(hasFeeds: false)
    #expect(numbers.unread == 1 && numbers.feedCount == 1101)
    // They leave the feeds that were read before to a page which cannot read them.
    let item = try #require(try await rig.ids().first)
    _ = try await rig.store.mark([NewsItem.ID(rawValue: item)], .read)
    let marked = await rig.page.navigator.navigation(hasFeeds: false)
    #expect(marked.unread == 0 && marked.feeds == [unread.id, feeds[8]] && marked.hiddenFeeds == 1099)
  }

  @Test func `A feed is renamed, moved and removed`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")], title: "Alpha")
    await rig.logIn()
    let path = "feed/\(feed.id.rawValue)"
    let answer = await rig.post("\(path)/name", [("title", "Gamma"), ("folder", "News/World")])
    #expect(answer.location == "/news/\(path)/settings")
    let page = await rig.get("\(path)/settings")
    #expect(page.text.contains("Renamed Alpha to Gamma."))
    #expect(page.text.contains("Moved Gamma to News/World."))
    let stored = try await rig.store.feed(named: "Gamma")
    #expect(stored.folder == "News/World")
    // The script says itself that it has moved the feed.
    for folder in ["Art", "Art", ""] {
      let json = [(name: "Accept", value: "application/json")]
      #expect(await rig.post("\(path)/name", [("folder", folder)], fields: json).text == "{}")
      #expect(try await rig.store.feed(named: "Gamma").folder ?? "" == folder)
    }
    let silent = await rig.get("all")
    #expect(!silent.text.contains("Moved Gamma"))
    #expect(await rig.post("\(path)/remove").location == "/news/feeds")
    #expect(try await rig.store.feeds().isEmpty)
    #expect(await rig.get("feeds").text.contains("Removed Gamma and its 1 item."))
    #expect(await rig.get("\(path)/settings").status == 404)
  }

  @Test func `Feeds whose boxes are checked are moved, paused, marked and removed together`() async throws {
    let rig = try WebRig()
    let alpha = try await rig.fill([ParsedItem("One")], title: "Alpha")
    let beta = try await rig.fill([ParsedItem("Two"), ParsedItem("Three")], title: "Beta", folder: "News")
    try await rig.fill([ParsedItem("Four")], title: "Gamma!")
    await rig.logIn()
    let rows = await rig.get("feeds", "part=rows")
    #expect(rows.text.hasPrefix("<div id=\"feed-rows\"") && rows.count("<tr>") == 4)
    let page = await rig.get("feeds")
    #expect(page.count("form=\"several\"") == 3 && page.text.contains("aria-label=\"Choose Alpha\""))
    let boxes = [alpha, beta].map { (name: "feed", value: String($0.id.rawValue)) } + [("from", "/feeds")]
    let answer = await rig.post("feeds/several", boxes + [("do", "move"), ("folder", "Papers/Daily")])
    #expect(answer.location == "/news/feeds")
    #expect(try await rig.store.feeds().map(\.folder) == ["Papers/Daily", "Papers/Daily", nil])
    #expect(await rig.get("feeds").text.contains("2 feeds moved to Papers/Daily."))
    _ = await rig.post("feeds/several", boxes + [("do", "pause")])
    #expect(try await rig.store.feeds().map(\.settings.isPaused) == [true, true, nil])
    _ = await rig.post("feeds/several", boxes + [("do", "resume")])
    #expect(try await rig.store.feeds().allSatisfy { $0.settings.isPaused == nil })
    _ = await rig.post("feeds/several", boxes + [("do", "read")])
    #expect(try await rig.store.feeds().map(\.unreadCount) == [0, 0, 1])
    #expect(await rig.get("feeds").text.contains("3 items marked read."))
    _ = await rig.post("undo")
    #expect(try await rig.store.feeds().map(\.unreadCount) == [1, 2, 1])
    _ = await rig.post("feeds/several", [("do", "remove"), ("from", "/feeds")])
    #expect(await rig.get("feeds").text.contains("No feed is chosen"))
    let many = (1...201).map { (name: "feed", value: String($0)) }
    #expect(await rig.post("feeds/several", many + [("do", "remove")]).status == 400)
    #expect(await rig.post("feeds/several", [("feed", "x"), ("do", "remove")]).status == 400)
    #expect(try await rig.store.feeds().count == 3)
    _ = await rig.post("feeds/several", boxes + [("do", "remove")])
    #expect(try await rig.store.feeds().map(\.title) == ["Gamma!"])
  }

  @Test(arguments: ["move", "pause", "remove"])
  func `A feed that was removed meanwhile does not keep the other chosen feeds from an action`(
    _ action: String
  ) async throws {
    let rig = try WebRig()
    let alpha = try await rig.fill([ParsedItem("One")], title: "Alpha")
    let beta = try await rig.fill([ParsedItem("Two")], title: "Beta")
    await rig.logIn()
    // Its title is the number of the removed feed.
    try await rig.fill([ParsedItem("Three")], title: String(alpha.id.rawValue))
    try await rig.store.remove(alpha.id)
    let gone = (name: "feed", value: String(alpha.id.rawValue))
    let fields: [(name: String, value: String)] = [
      ("do", action), ("folder", "News"), ("from", "/feeds"),
    ]
    _ = await rig.post("feeds/several", [gone, ("feed", String(beta.id.rawValue))] + fields)
    let left = try await rig.store.feeds()
    let changed = left.filter { $0.folder == "News" || $0.settings.isPaused == true }.map(\.title)
    #expect(action == "remove" ? left.count == 1 : changed == ["Beta"])
    #expect(await rig.get("feeds").text.contains("1 chosen feed had been removed meanwhile."))
    _ = await rig.post("feeds/several", [gone] + fields)
    #expect(try await rig.store.feeds().count == left.count)
  }

  @Test func `Usual settings are choices with plain names, the others stand under More`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")], title: "Alpha")
    await rig.logIn()
    let path = "feed/\(feed.id.rawValue)/settings"
    let page = await rig.get(path)
    let more = try #require(page.all(from: "<summary>More</summary>", to: "</details>").first)
    #expect(!more.contains("set-paused") && !more.contains("set-keep-days"))
    // Fields have plain names, and their technical ones as hints.
    #expect(more.contains("<span>How many of its newest items are kept</span>"))
    #expect(more.contains("<small class=\"quiet\">keep-items: "))
    let chosen = SettingChoice.all.map(\.setting.rawValue)
    for name in PageSettings.names where !chosen.contains(name) {
      #expect(PageSettings.label(name) != name, "\(name)")
    }
    #expect(page.text.contains("Paused: fetch it only when I ask") && !page.text.contains("paused: true"))
    // A browser sends the hidden field, and the box if it is checked.
    _ = await rig.post(path, [("set-paused", ""), ("set-paused", "true"), ("set-keep-days", "30")])
    let settings = try await rig.store.feed(feed.id).settings
    #expect(settings.isPaused == true && settings.keepDays == 30)
    let changed = await rig.get(path)
    #expect(changed.text.contains("name=\"set-paused\" value=\"true\" checked"))
    #expect(changed.text.contains("<option value=\"30\" selected>"))
    _ = await rig.post(path, [("set-paused", ""), ("set-keep-days", "45")])
    #expect(try await rig.store.feed(feed.id).settings.isPaused == nil)
    #expect(await rig.get(path).text.contains("<option value=\"45\" selected>45</option>"))
  }

  @Test func `Settings are changed together or not at all, and only those that a browser may change`()
    async throws
  {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")], title: "Alpha")
    await rig.logIn()
    let path = "feed/\(feed.id.rawValue)/settings"
    let form = [(name: "set-keep-days", value: "30"), (name: "set-credential", value: "file:/etc/passwd")]
    _ = await rig.post(path, form)
    let stored = try await rig.store.feed(named: "Alpha").settings
    #expect(stored.keepDays == 30)
    #expect(stored.credential == nil)
    #expect(!(await rig.get(path)).text.contains("set-credential"))
    _ = await rig.post(path, [("set-keep-days", "soon"), ("url", "https://other.example/")])
    let page = await rig.get(path)
    #expect(page.text.contains("“Keep its items” takes a number"))
    #expect(try await rig.store.feed(named: "Alpha").url == feed.url)
    for url in ["file:///etc/passwd", "exec:/bin/true"] {
      _ = await rig.post(path, [("url", url)])
      #expect(try await rig.store.feed(named: "Alpha").url == feed.url)
    }
    _ = await rig.post(path, [("set-keep-days", ""), ("url", "https://other.example/feed")])
    let moved = try await rig.store.feed(named: "Alpha")
    #expect(moved.url == "https://other.example/feed")
    #expect(moved.settings.keepDays == nil)
  }

  @Test func `A browser can add neither files nor programs`() async throws {
    let rig = try WebRig(fetcher: FakeNetwork())
    await rig.logIn()
    for address in ["file:///etc/passwd", "exec:/bin/sh -c true", "FILE:/etc/passwd", "", "http://"] {
      let answer = await rig.post("feeds/add", [("address", address), ("folder", "New")])
      #expect(answer.status == 400 && answer.location == nil)
      let form = try #require(answer.all(from: "action=\"/news/feeds/add\"", to: "</form>").first)
      #expect(
        form.contains("role=\"alert\"") && form.contains("value=\"\(address)\"")
          && form.contains("value=\"New\"")
      )
      #expect(try await rig.store.feeds().isEmpty)
    }
  }

  @Test func `A feed is added to a folder; a page with several feeds gives a choice`() async throws {
    let rig = try WebRig(fetcher: FakeNetwork())
    await rig.logIn()
    let choice = await rig.post("feeds/add", [("address", "https://site.example/"), ("folder", "New")])
    #expect(choice.status == 200)
    #expect(choice.count("name=\"pick\"") == 2)
    #expect(choice.text.contains("All &lt;posts&gt;"))
    let form = [(name: "address", value: "https://site.example/"), (name: "folder", value: "New")]
    let added = await rig.post("feeds/add", form + [("pick", "2")])
    let feed = try #require(try await rig.store.feeds().first)
    #expect(added.location == "/news/feed/\(feed.id.rawValue)")
    #expect(feed.url == "https://site.example/two.xml")
    #expect(feed.folder == "New")
    #expect(await rig.get("feed/\(feed.id.rawValue)").text.contains("First item"))
    let again = await rig.post("feeds/add", [("address", "https://site.example/two.xml")])
    #expect(again.location == nil && again.text.contains("role=\"alert\""))
    #expect(again.text.contains(" is subscribed already: ") && !again.text.contains("newsd list"))
  }

  @Test func `The page says itself what became of feeds and folders`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")], title: "mine")
    try await rig.fill([ParsedItem("Two"), ParsedItem("Three")], title: "other")
    await rig.logIn()
    for (path, form, said) in [
      ("feed/1/name", [("title", "ours"), ("folder", "")], "Renamed mine to ours."),
      ("feed/1/name", [("title", "ours"), ("folder", " News ")], "Moved ours to News."),
      ("feed/1/name", [("title", "ours"), ("folder", " ")], "Moved ours out of its folder."),
      (
        "feeds/several", [("feed", "1"), ("feed", "2"), ("do", "move"), ("folder", "Papers")],
        "2 feeds moved to Papers."
      ),
      ("folders", [("name", "Papers"), ("do", "rename"), ("to", "Press ")], "Renamed Papers to Press."),
      ("folders", [("name", "Press"), ("do", "remove")], "Removed the folder Press, but not its feeds."),
      ("feed/2/name", [("title", "other -- one. two")], "Renamed other to other -- one. two."),
      ("feed/2/remove", [], "Removed other -- one. two and its 2 items."),
      ("feeds/several", [("feed", "1"), ("do", "remove")], "Removed ours and its 1 item."),
    ] as [(String, [(name: String, value: String)], String)] {
      _ = await rig.post(path, form)
      let notices = await rig.get("feeds").all(from: "<p dir=\"auto\">", to: "</p>")
      #expect(notices == [said])
    }
  }

  @Test func `An OPML list is shown before it is imported; the subscriptions are exported as a file`()
    async throws
  {
    let rig = try WebRig(fetcher: FakeNetwork())
    try await rig.fill([ParsedItem("One")], title: "Alpha")
    await rig.logIn()
    let export = await rig.get("feeds/export")
    #expect(export.fields.first("Content-Disposition") == "attachment; filename=\"newsd.opml\"")
    #expect(export.text.contains("<opml") && export.text.contains("Alpha"))
    let list = """
      <opml version="2.0"><body><outline text="New &lt;one&gt;" xmlUrl="https://new.example/feed"/>
      <outline text="Alpha" xmlUrl="https://example.org/5-1"/>
      <outline text="Bad" xmlUrl="file:///etc/passwd"/></body></opml>
      """
    let upload = [HTTPUpload(name: "list", fileName: "list.opml", bytes: Array(list.utf8))]
    let look = await rig.post("feeds/import", files: upload)
    #expect(look.status == 200)
    #expect(look.text.contains("The list has 1 new feed, and 1 feed that you have already."))
    #expect(look.text.contains("New &lt;one&gt;") && look.text.contains("is a file"))
    #expect(try await rig.store.feeds().count == 1)
    #expect(await rig.post("feeds/import", [("confirm", "1")]).location == "/news/feeds")
    #expect(try await rig.store.feeds().count == 2)
    #expect(await rig.get("feeds").text.contains("Added 1 feed. 1 feed was there already."))
    await rig.page.refreshes.finish()
    #expect(rig.refreshed.all.count == 1, "A new feed is fetched at once.")
    _ = await rig.post("feeds/import", [("confirm", "1")])
    #expect(await rig.get("feeds").text.contains("does not keep that list"))
    let broken = [HTTPUpload(name: "list", fileName: "x", bytes: Array("<html>".utf8))]
    #expect(await rig.post("feeds/import", files: broken).location == "/news/feeds#import")
    #expect(await rig.post("feeds/import").location == "/news/feeds#import")
  }

  @Test func `A refresh shows its progress, then its failures beside the items until they are dismissed`()
    async throws
  {
    let network = FakeNetwork()
    let rig = try WebRig(fetcher: network)
    let feed = try await rig.store.add(NewFeed(url: "https://site.example/two.xml"), at: WebRig.now)
    let gone = try await rig.store.add(NewFeed(url: "https://gone.example/", title: "Gone"), at: WebRig.now)
    await rig.logIn()
    network.gate.close()
    #expect(await rig.post("refresh", [("from", "/all")]).location == "/news/all")
    let during = await rig.get("all")
    #expect(during.text.contains("Refreshing") && during.text.contains("<progress"))
    _ = await rig.post("feed/\(feed.id.rawValue)/refresh")
    #expect(await rig.get("all").text.contains("running already"))
    network.gate.open()
    await rig.page.refreshes.finish()
    #expect(rig.refreshed.all == [feed.id, gone.id], "The daemon logs the refreshes of the page.")
    let after = await rig.get("all")
    #expect(after.text.contains("First item"))
    #expect(after.text.contains("1 of 2 feeds failed.") && after.text.contains("/news/feeds?show=failing"))
    #expect(!after.text.contains("newsd status"))
    _ = await rig.post("dismiss", [("from", "/all")])
    #expect(!(await rig.get("all")).text.contains("1 of 2 feeds failed."))
    _ = await rig.post("refresh")
    await rig.page.refreshes.finish()
    #expect(!(await rig.get("all")).text.contains("feeds failed"), "The same failure was dismissed.")
    _ = try await rig.store.add(NewFeed(url: "https://lost.example/", title: "Lost"), at: WebRig.now)
    _ = await rig.post("refresh")
    await rig.page.refreshes.finish()
    #expect(await rig.get("all").text.contains("2 of 3 feeds failed."))
    _ = await rig.post("dismiss", [("from", "/all")])
    #expect(await rig.get("feed/\(gone.id.rawValue)/settings").text.contains("note failure"))
    await rig.page.close()
    #expect(await rig.post("refresh").status == 303)
    #expect(await rig.get("all").text.contains("running already"))
  }
}

/// A network with a page of two feeds; a host that cannot be reached is `gone.example`.
final class FakeNetwork: Fetching {
  let gate = Gate()

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    await gate.pass()
    switch request.url {
    case "https://site.example/":
      return response(
        request,
        "text/html",
        """
        <html><head><link rel="alternate" type="application/rss+xml" title="All &lt;posts&gt;" href="/one.xml">
        <link rel="alternate" type="application/rss+xml" title="Comments" href="/two.xml"></head></html>
        """
      )
    case "https://site.example/two.xml":
      return response(
        request,
        "application/rss+xml",
        """
        <rss version="2.0"><channel><title>Two</title><item><guid>1</guid><title>First item</title></item>
        </channel></rss>
        """
      )
    default:
      throw FetchError(code: .hostNotFound, message: "cannot reach the host")
    }
  }

  private func response(_ request: FetchRequest, _ type: String, _ text: String) -> FetchResponse {
    FetchResponse(
      status: 200,
      headers: [("Content-Type", type)],
      body: Array(text.utf8),
      url: request.url,
      received: WebRig.now
    )
  }
}

/// Lets calls wait until it is opened.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((true, []))

  func close() { state.withLock { $0.isOpen = false } }

  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

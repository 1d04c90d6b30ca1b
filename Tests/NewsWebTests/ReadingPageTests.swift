@testable import NewsHTTP
import Modules
import NewsCore
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: reading` {
  private static let hostile = "</h1><script>alert(\"1\")</script>\u{301} & \u{202E}txt"

  @Test func `Without a session every page leads to the log-in`() async throws {
    let rig = try WebRig()
    for path in ["", "unread", "feeds", "item/1", "rules", "nowhere"] {
      let answer = await rig.get(path)
      #expect(answer.status == 303)
      #expect(answer.location == "/news/login" + (path.isEmpty ? "" : "?to=" + PagePath.segment("/" + path)))
    }
    #expect(await rig.post("items/1", [("as", "read")]).status == 403)
    #expect(await rig.get("events").status == 401)
  }

  @Test func `An unknown address below /api/ is answered with 404, not with the log-in page`() async throws {
    let rig = try WebRig()
    #expect(await rig.get("api/nothing").status == 404)
    #expect(await rig.get("nothing").location == "/news/login?to=%2Fnothing")
  }

  @Test func `A log-in sets a cookie that scripts cannot read, a wrong password sets none`() async throws {
    let rig = try WebRig()
    let form = await rig.get("login")
    #expect(form.text.contains("type=\"password\""))
    let wrong = await rig.post("login", [("name", "newsd"), ("password", "secrex")])
    #expect(wrong.status == 403)
    #expect(wrong.fields.first("Set-Cookie") == nil)
    #expect(wrong.text.contains("role=\"alert\"") && wrong.text.contains("value=\"newsd\""))
    let right = await rig.post("login", [("name", "newsd"), ("password", "secret")])
    #expect(right.status == 303)
    #expect(right.location == "/news/unread")
    let cookie = try #require(right.fields.first("Set-Cookie"))
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/news"))
  }

  @Test func `A log-in leads to the page that was wanted`() async throws {
    let rig = try WebRig()
    let page = "/feeds/add?address=https%3A%2F%2Fa.example%2F%3Fb%26c"
    let query = "to=" + PagePath.segment(page)
    let asked = await rig.get("feeds/add", "address=https%3A%2F%2Fa.example%2F%3Fb%26c")
    #expect(asked.location == "/news/login?" + query)
    let field = "name=\"to\" value=\"\(page)\""
    #expect(await rig.get("login", query).text.contains(field))
    let wrong = await rig.post("login", [("name", "newsd"), ("password", "secrex"), ("to", page)])
    #expect(wrong.status == 403 && wrong.text.contains(field))
    let right = await rig.post("login", [("name", "newsd"), ("password", "secret"), ("to", page)])
    #expect(right.location == "/news" + page)
    // Neither the script's requests nor what a page loads is a page to lead to.
    #expect(await rig.get("unread", "part=list").location == "/news/login")
    #expect(await rig.get("events", fields: [("Sec-Fetch-Dest", "empty")]).status == 401)
    #expect(await rig.get("unread", fields: [("Sec-Fetch-Mode", "cors")]).location == "/news/login")
    // The service worker passes a page on with another destination.
    let passed = [(name: "Sec-Fetch-Dest", value: "empty"), ("Sec-Fetch-Mode", "navigate")]
    #expect(await rig.get("unread", fields: passed).location == "/news/login?to=%2Funread")
    await rig.logIn()
    #expect(await rig.get("login", query).location == "/news" + page)
  }

  @Test(arguments: [
    "", "unread", "//evil.example/", "/\\evil.example/", "\\\\evil.example", "https://evil.example/", "/..",
    "/../other",
    "/x/../../other", "/%2e%2E/other", "/.%2e/other", "/.//evil.example", "/\t/evil.example", "/x\r\ny",
    "/x y", "/x#y", "/x\"y",
    "/x;y", "/\u{E9}", "/\u{301}", "/login", "/login/oidc", "/%6Cogin/oidc", "/login?to=%2Fall",
    "/" + String(repeating: "x", count: 2000),
  ])
  func `A log-in leads to no other site and to no page above the prefix`(_ target: String) async throws {
    let rig = try WebRig()
    let query = "to=" + PagePath.segment(target)
    let gate = await rig.get("login", query)
    #expect(gate.status == 200 && !gate.text.contains("name=\"to\""))
    let form = [("name", "newsd"), ("password", "secret"), ("to", target)]
    #expect(await rig.post("login", form).location == "/news/unread")
    await rig.logIn()
    #expect(await rig.get("login", query).location == "/news/unread")
  }

  @Test func `The page of an empty store links to the page for adding feeds`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    for path in ["unread", "starred", "all"] {
      let answer = await rig.get(path)
      #expect(answer.status == 200)
      #expect(answer.text.contains("There are no feeds yet."))
      #expect(answer.text.contains("href=\"/news/feeds\""))
      #expect(!answer.text.contains("newsd feeds add"))
      #expect(!answer.text.contains("Mark older"))
    }
  }

  @Test func `The icon of a feed is beside its name in lists, items and the navigation`() async throws {
    let rig = try WebRig()
    var one = ParsedItem()
    one.title = "One"
    let feed = try await rig.fill([one])
    await rig.logIn()
    let path = try #require(await rig.page.modules.icons(of: [feed.id])[feed.id])
    let icon = "<img class=\"icon\" src=\"/news\(path)\" alt=\"\""
    for (page, count) in [("unread", 2), ("feed/1", 2), ("feeds", 2), ("item/1", 2), ("rules", 1)] {
      let answer = await rig.get(page)
      #expect(answer.count(icon) == count, "\(page)")
      #expect(answer.fields.first("Content-Security-Policy")?.contains("img-src 'self'") == true)
    }
  }

  @Test func `The list of a feed that does not exist is not found`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([])
    await rig.logIn()
    #expect(await rig.get("feed/\(feed.id.rawValue)").status == 200)
    #expect(await rig.get("feed/99").status == 404)
  }

  @Test func `An item has a link to the original unless its URL has the scheme javascript`() async throws {
    let rig = try WebRig()
    var script = ParsedItem("Script")
    script.url = "javascript:alert(1)"
    var plain = ParsedItem("Plain")
    plain.url = "https://example.org/1"
    try await rig.fill([script, plain])
    await rig.logIn()
    let text = await rig.get("unread").text
    #expect(text.contains("Script"))
    #expect(!text.contains("javascript:"))
    #expect(text.split(separator: "data-original").count == 2)
  }

  @Test func `The lines below a title do not repeat it`() async throws {
    let rig = try WebRig()
    let texts = [
      ("Rain ends", "Rain ends. The river falls."), ("Who pays?", "Who pays? We do."),
      ("Rain", "Rain fell."), ("Mist", "Mist"), ("Fog", "Fogs."), ("Ice", "Ice\nIt melts."),
    ]
    try await rig.fill(
      texts.map { title, text in
        var item = ParsedItem(title)
        item.contentText = text
        return item
      }
    )
    await rig.logIn()
    let shown = await rig.get("unread").all(from: "<p class=\"excerpt\" dir=\"auto\">", to: "</p>")
    #expect(shown == ["The river falls.", "We do.", "Rain fell.", "Fogs.", "It melts."])
  }

  @Test func `The text of a post without a title is shown once`() async throws {
    let rig = try WebRig()
    var post = ParsedItem("", html: "<p>The heron is back.</p>", url: "https://example.org/1")
    (post.id, post.contentText) = ("1", "The heron is back.")
    var link = ParsedItem("", html: "", url: "https://example.org/2")
    link.id = "2"
    try await rig.fill([post, link, ParsedItem("Titled", html: "<p>Titled</p>")])
    await rig.logIn()
    let ids = try await rig.ids()
    let page = await rig.get("item/\(ids[0])")
    #expect(page.text.contains("<h1 class=\"hidden\" dir=\"auto\">The heron is back.</h1>"))
    #expect(page.text.contains("<title>The heron is back. · newsd</title>"))
    #expect(page.text.contains("data-original href=\"https://example.org/1\""))
    for id in ids.dropFirst() { #expect(!(await rig.get("item/\(id)").text.contains("<h1 class"))) }
  }

  @Test func `Parts of pages, such as pictures, get neither pages nor events`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    for destination in ["image", "video", "audio", "script", "style", "iframe", "object"] {
      let fields = [(name: "Sec-Fetch-Dest", value: destination), ("Accept", "text/event-stream")]
      for path in ["unread", "events", "search"] {
        #expect(await rig.get(path, fields: fields).status == 403, "\(path) as \(destination)")
      }
    }
    for destination in ["document", "empty"] {
      #expect(await rig.get("unread", fields: [("Sec-Fetch-Dest", destination)]).status == 200)
    }
    #expect(await rig.get("events", fields: [("Accept", "image/png, */*")]).status == 403)
    #expect(await rig.get("events", fields: [("Accept", "*/*")]).status == 406)
    #expect(await rig.get("events").status == 406)
  }

  @Test func `Media of an item never comes from newsd itself`() async throws {
    let rig = try WebRig()
    let own = "http://127.0.0.1:8788/events"
    try await rig.fill([
      ParsedItem(
        "Media",
        html:
          "<img src=\"\(own)?1\" alt=\"1\"><img src=\"/events?2\"><img srcset=\"https://a.example/3 1x, \(own)?4 2x\">"
          + "<video src=\"http://x@127.0.0.1:8788/events?5\" poster=\"\(own)?6\"></video>"
          + "<img src=\"http://127.1:8788/events?8\"><img src=\"http://0x7f000001:8788/events?9\">"
          + "<img src=\"http://2130706433:8788/events?10\"><img src=\"http://127.0.0.1.:8788/events?11\">"
          + "<img src=\"http://１２７.0.0.1:8788/events?12\">"
          + "<img src=\"http://LOCALHOST.:8788/events?13\"><img src=\"http://[::1]:8788/events?14\">"
          + "<audio><source src=\"HTTP://127.0.0.1:8788/events?7\"></audio>"
          + "<img src=\"https://a.example/good.png\" srcset=\"https://a.example/g1.png 640w, http://127.0.0.1/g2.png 1.5x\">"
      )
    ])
    await rig.logIn()
    let page = await rig.get("item/\(try await rig.ids()[0])").text
    #expect(page.contains("alt=\"1\""))
    #expect(!page.contains("events?"), "\(page)")
    #expect(page.contains("https://a.example/good.png") && page.contains("http://127.0.0.1/g2.png 1.5x"))
  }

  @Test func `A log-in from another site is refused`() async throws {
    let rig = try WebRig()
    let form = [("name", "newsd"), ("password", "secret")]
    #expect(await rig.post("login", form, fields: [("Origin", "https://evil.example")]).status == 403)
    #expect(await rig.post("login", form, fields: [("Sec-Fetch-Site", "cross-site")]).status == 403)
    #expect(await rig.post("login", form, fields: [("Origin", "https://127.0.0.1:8788")]).status == 303)
  }

  @Test func `Without a login password the page shows the command that sets one`() async throws {
    let rig = try WebRig()
    rig.account.state.withLock { $0.password = nil }
    let form = await rig.get("login")
    #expect(form.text.contains("newsd web password"))
    #expect(!form.text.contains("type=\"password\""))
    #expect(await rig.post("login", [("name", "newsd"), ("password", "")]).status == 403)
  }

  @Test func `After too many wrong passwords the page says how long to wait`() async throws {
    let rig = try WebRig()
    rig.account.state.withLock { $0.isBlocked = true }
    let answer = await rig.post("login", [("name", "newsd"), ("password", "secret")])
    #expect(answer.status == 429)
    #expect(answer.fields.first("Retry-After") == "61")
    #expect(answer.text.contains("2 minutes"))
  }

  @Test func `Unread shows the newest items first, fifty on a page`() async throws {
    let rig = try WebRig()
    try await rig.fill((1...120).map { ParsedItem("Item \($0)") })
    await rig.logIn()
    let first = await rig.get("unread")
    let ids = try await rig.ids()
    #expect(first.all(from: "<article data-id=\"", to: "\"") == ids[..<50].map(String.init))
    let next = try #require(first.all(from: "<a rel=\"next\" href=\"", to: "\"").first)
    #expect(next == "/news/unread?before=\(ids[49])")
    let second = await rig.get("unread", "before=\(ids[49])")
    #expect(second.all(from: "<article data-id=\"", to: "\"") == ids[50..<100].map(String.init))
    let third = await rig.get("unread", "before=\(ids[99])")
    #expect(third.count("<article data-id") == 20)
    #expect(third.count("rel=\"next\"") == 0)
    #expect(await rig.get("unread", "before=\(ids[119])").text.contains("no further items"))
  }

  @Test func `Titles, feeds and folders are escaped everywhere`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem(Self.hostile)], title: Self.hostile, folder: "A<b>/\"c\"")
    await rig.logIn()
    let id = try await rig.ids()[0]
    for path in [
      "unread", "feed/\(feed.id.rawValue)", "folder/A<b>/\"c\"", "item/\(id)", "item/\(id)/versions",
    ] {
      let answer = await rig.get(path)
      #expect(answer.status == 200, "\(path)")
      #expect(!answer.text.contains("<script>alert"), "\(path)")
      #expect(!answer.text.contains("A<b>"), "\(path)")
      #expect(!answer.text.contains("\u{202E}"), "\(path)")
    }
    #expect(await rig.get("unread").text.contains("href=\"/news/folder/A%3Cb%3E/%22c%22\""))
  }

  @Test func `Every page has a Content-Security-Policy, and no inline styles or event handlers`() async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One", html: "<p style=\"color:red\" class=\"x\">Text</p>")])
    await rig.logIn()
    let id = try await rig.ids()[0]
    for path in ["unread", "item/\(id)", "nowhere", "search", "keys"] {
      let answer = await rig.get(path)
      let policy = try #require(answer.fields.first("Content-Security-Policy"))
      #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
      #expect(answer.fields.first("X-Content-Type-Options") == "nosniff")
      #expect(answer.count(" style=") == 0 && answer.count("<style") == 0 && answer.count(" onclick") == 0)
      // The page's script, and the player's.
      #expect(answer.count("<script src=\"/news/static/") == 2)
    }
  }

  @Test
  func `The menu of a list has its order and what leads to its feed; a list without items has no order`()
    async throws
  {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let settings = "href=\"/news/feed/\(feed.id.rawValue)/settings\""
    let menu = try #require(
      await rig.get("feed/\(feed.id.rawValue)").all(from: "title=\"More\">", to: "</details>").last
    )
    #expect(menu.contains("Oldest first") && menu.contains("Each story once") && menu.contains(settings))
    #expect(!(await rig.get("starred")).text.contains("Oldest first"))
    #expect(await rig.get("nowhere").text.contains("href=\"/news/unread\">Unread items</a>"))
  }

  @Test func `An item keeps its markup without the feed's styles`() async throws {
    let rig = try WebRig()
    let html = """
      <p style="color:red" class="masthead" id="main"><font color="#000">Text</font> <a href="#main">up</a>\
      <img src="https://example.org/a.png" width="40" height="20" loading="eager">\
      <a href="https://example.org/">out</a></p>
      """
    try await rig.fill([ParsedItem("One", html: html)], language: "de")
    await rig.logIn()
    let id = try await rig.ids()[0]
    let answer = await rig.get("item/\(id)")
    let content = try #require(answer.all(from: "<div class=\"content\"", to: "</div>").first)
    #expect(content.contains("dir=\"auto\"") && content.contains("lang=\"de\""))
    #expect(!content.contains("style=") && !content.contains("masthead") && !content.contains("#000"))
    #expect(content.contains("id=\"i\(id)-main\"") && content.contains("href=\"#i\(id)-main\""))
    #expect(content.contains("loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\""))
    #expect(
      content.contains("width=\"40\"") && content.contains("height=\"20\"") && !content.contains("eager")
    )
    #expect(content.contains("<a rel=\"noopener noreferrer\" href=\"https://example.org/\""))
  }

  @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
  func `An item's URL with the scheme javascript, data or file is not in the page`(_ url: String) async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One", url: url)])
    await rig.logIn()
    let id = try await rig.ids()[0]
    for path in ["unread", "item/\(id)"] {
      let answer = await rig.get(path)
      #expect(answer.status == 200 && answer.text.contains("One"))
      #expect(!answer.text.contains(url), "\(path)")
    }
  }

  @Test func `A part of a page has only the list or the article, and leaves notices to the next page`()
    async throws
  {
    let rig = try WebRig()
    var one = ParsedItem("One", html: "<p>Text</p>")
    one.tags = [Category(term: "a & b")]
    try await rig.fill([one, ParsedItem("Two")])
    await rig.logIn()
    let ids = try await rig.ids()
    _ = await rig.post("marks", [("as", "read"), ("id", String(ids[1]))])
    let list = await rig.get("unread", "part=list")
    #expect(
      list.text.hasPrefix("<div id=\"arrived\"") && list.count("<article") == 1
        && !list.text.contains("<html")
    )
    #expect(!list.text.contains("marked read") && !list.text.contains("part=list"))
    let article = await rig.get("item/\(ids[0])", "part=article")
    #expect(article.text.contains("<p>Text</p>") && !article.text.contains("<html"))
    #expect(article.text.contains("href=\"/news/search?q=tag%3A%22a%20%26%20b%22\""))
    #expect(article.fields.first("Content-Security-Policy") != nil)
    #expect(!article.text.contains("/versions"))
    let tree = await rig.get("keys", "part=tree")
    #expect(tree.text.hasPrefix("<aside>") && tree.text.contains("<span class=\"count\">1</span>"))
    let kept = await rig.get("unread", "part=kept")
    #expect(kept.text.contains("<html") && kept.text.contains("<aside>"))
    #expect(!kept.text.contains("marked read"))
    #expect(await rig.get("unread").text.contains("1 item marked read."))
  }

  @Test func `The oldest items come first if the browser's settings say so`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One"), ParsedItem("Two")])
    await rig.logIn()
    let ids = try await rig.ids().map { String($0) }
    let oldest = [(name: "Cookie", value: "newsd-view=oldest-on")]
    #expect(
      await rig.get("unread", fields: oldest).all(from: "<article data-id=\"", to: "\"") == ids.reversed()
    )
    #expect(
      await rig.get("unread", "order=newest", fields: oldest).all(from: "<article data-id=\"", to: "\"")
        == ids
    )
    #expect(await rig.get("unread").all(from: "<article data-id=\"", to: "\"") == ids)
  }

  @Test func `Folders are nested in the tree, and count what is below them`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")], title: "A", folder: "Tech/Blogs")
    try await rig.fill([ParsedItem("One"), ParsedItem("Two")], title: "BB", folder: "Tech/Business")
    try await rig.fill([ParsedItem("One")], title: "CCC")
    let tree = await rig.page.navigator.navigation().entries
    #expect(tree.map(\.title) == ["Tech", "CCC"] && tree.map(\.unread) == [3, 1])
    #expect(
      tree[0].entries.map(\.title) == ["Blogs", "Business"] && tree[0].entries.map(\.unread) == [1, 2]
    )
    #expect(tree[0].entries[1].address.path == "/folder/Tech/Business")
    #expect(tree[0].entries[1].entries.map(\.title) == ["BB"])
  }

  @Test func `Reading time counts words, and characters in Chinese and Japanese`() {
    #expect(ReadingTime.minutes("A few words") == nil)
    #expect(ReadingTime.minutes(String(repeating: "word ", count: 690)) == 3)
    #expect(ReadingTime.minutes(String(repeating: "漢字", count: 450)) == 2)
  }

  @Test func `A missing item, an invalid id, a missing folder and an unknown path give 404`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    #expect(await rig.get("item/77").status == 404)
    #expect(await rig.get("item/x").status == 404)
    #expect(await rig.get("folder/Nothing").status == 404)
    #expect(await rig.get("nowhere").status == 404)
  }

  @Test func `A search highlights its matches; an invalid query gives 400 and stays in the field`()
    async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Linux on a phone"), ParsedItem("Nothing else")])
    await rig.logIn()
    let found = await rig.get("search", "q=linux")
    #expect(found.count("<article data-id") == 1)
    #expect(found.text.contains("<mark>Linux</mark>"))
    let wrong = await rig.get("search", "q=cat+colour%3Ared")
    #expect(wrong.status == 400)
    #expect(wrong.text.contains("role=\"alert\""))
    #expect(wrong.text.contains("value=\"cat colour:red\""))
    #expect(await rig.get("search", "q=zebra").text.contains("Nothing matches."))
    #expect(await rig.get("search", "q=").text.contains("Type what to search for."))
  }

  @Test func `Saved searches and folders are shown as lists of items`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Linux"), ParsedItem("Other")], title: "LWN", folder: "Tech")
    try await rig.store.save(SavedSearch(name: "My search", query: "title:linux"), at: WebRig.now)
    await rig.logIn()
    #expect(await rig.get("saved/My search").count("<article data-id") == 1)
    let folder = await rig.get("folder/Tech")
    #expect(folder.count("<article data-id") == 2)
    #expect(folder.text.contains("href=\"/news/saved/My%20search\""))
    #expect(folder.text.contains("<a href=\"/news/folder/Tech\" data-folder aria-current=\"page\">"))
  }

  @Test func `The address of a list round-trips through its path`() {
    var searching = ListAddress(.search("a+b & c=ü"))
    searching.page = 3
    var feed = ListAddress(.feed(Feed.ID(rawValue: 7)))
    feed.isUnreadOnly = true
    feed.after = NewsItem.ID(rawValue: 99)
    feed.foldsStories = true
    for address in [
      ListAddress(.unread), ListAddress(.starred), ListAddress(.folder("A b/ü%2F")),
      ListAddress(.saved("x/y")),
      searching, feed,
    ] {
      #expect(WebPage.listAddress(address.path) == address, "\(address.path)")
    }
  }

  @Test func `Only a path within newsd is accepted as the page to return to`() {
    #expect(PagePath.checked("/unread?before=3") == "/unread?before=3")
    for path in ["//evil.example", "https://evil.example", "/\\evil", "/a b", "/a\r\nX: y", "", "unread"] {
      #expect(PagePath.checked(path) == nil, "\(path)")
    }
  }

  @Test func `The video of a page on YouTube or Vimeo is known by the page's address`() {
    for (page, frame) in [
      ("https://www.youtube.com/watch?v=abc-DEF_123", "https://www.youtube.com/embed/abc-DEF_123"),
      ("http://m.youtube.com/watch?list=x&v=abcdef&t=3", "https://www.youtube.com/embed/abcdef"),
      ("https://www.youtube.com/shorts/abcdefgh", "https://www.youtube.com/embed/abcdefgh"),
      ("https://youtu.be/abcdefgh?t=3", "https://www.youtube.com/embed/abcdefgh"),
      ("https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871"),
    ] { #expect(VideoAddress(page: page)?.frame == frame) }
    for page in [
      nil, "", "ftp://youtu.be/abcdefgh", "https://youtu.be/", "https://youtu.be/abc%22def",
      "https://youtu.be/a\"bcdefg",
      "https://www.youtube.com/watch?v=ab", "https://www.youtube.com/watch",
      "https://youtube.com.evil.example/watch?v=abcdefgh",
      "https://www.youtube.com/embed/../abcdefgh", "https://vimeo.com/76979871/x",
      "https://vimeo.com/channels",
      "https://youtu.be/\u{0661}\u{0662}\u{0663}abcd",
    ] { #expect(VideoAddress(page: page) == nil, "\(page ?? "none")") }
    #expect(VideoAddress.isOutdated("https://www.youtube.com/v/abcdefgh?version=3"))
    #expect(!VideoAddress.isOutdated("https://www.youtube.com/watch?v=abcdefgh"))
  }

  @Test func `Style sheets and scripts have at most 40 KB compressed, and are served as immutable`()
    async throws
  {
    let script = WebAssets.script
    let style = WebAssets.style
    let files = [script, style, WebAssets.player, WebAssets.worker]
    let sizes = files.map { Deflater.gzip($0.asset.bytes, level: Deflater.best)?.count ?? .max }
    #expect(sizes.reduce(0, +) <= 40_000, "\(sizes)")
    for name in [script.name, style.name] {
      let reply = WebAssets().instantReply(to: HTTPRequest(path: ["static", name]))
      #expect(reply.status == 200)
      #expect(reply.fields.first("Cache-Control")?.contains("immutable") == true)
    }
    #expect(WebAssets().instantReply(to: HTTPRequest(path: ["static", "0.js"])).status == 404)
    #expect(script.name != style.name)
  }

  @Test func `The worker answers for newsd's own addresses only, and the manifest names files that exist`()
    async throws
  {
    var request = HTTPRequest(path: ["static", WebAssets.worker.name])
    request.site = WebSite(isSecure: true, host: "news.example", prefix: "/news")
    let worker = WebAssets().instantReply(to: request)
    #expect(worker.fields.first("Service-Worker-Allowed") == "/news/")
    #expect(worker.fields.first("Content-Security-Policy") == "default-src 'none'; connect-src 'self'")
    request.path = ["static", WebAssets.script.name]
    #expect(WebAssets().instantReply(to: request).fields.first("Service-Worker-Allowed") == nil)
    let manifest = Answer(
      WebAssets().instantReply(to: HTTPRequest(path: ["static", WebAssets.manifest.name]))
    )
    #expect(manifest.fields.first("Content-Type") == "application/manifest+json")
    let icons = manifest.all(from: "\"src\":\"", to: "\"")
    #expect(icons.count == 3)
    for icon in icons {
      let reply = WebAssets().instantReply(to: HTTPRequest(path: ["static", icon]))
      #expect(reply.status == 200)
      guard case .asset(let asset) = reply.body, icon.hasSuffix(".png") else { continue }
      #expect(asset.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && asset.bytes.count > 500)
    }
  }

  @Test
  func
    `A page names the account that it is for, without telling who that is, and the log-in page names none`()
    async throws
  {
    let rig = try WebRig(fetcher: FakeNetwork())
    let gate = await rig.get("login")
    #expect(gate.fields.first(WebPage.shelfField) == nil)
    #expect(!gate.text.contains("data-account"))
    await rig.logIn()
    let page = await rig.get("unread")
    let name = try #require(page.fields.first(WebPage.shelfField))
    #expect(page.text.contains("data-account=\"\(name)\""))
    #expect(name.utf8.count == 24 && !page.text.contains("data-account=\"newsd"))
    #expect(await rig.get("item/1", "part=article").fields.first(WebPage.shelfField) == name)
    let other = try WebRig(fetcher: FakeNetwork())
    await other.logIn()
    #expect(await other.get("unread").fields.first(WebPage.shelfField) != name)
    #expect(page.fields.first("Content-Security-Policy")?.contains("worker-src 'self'") == true)
  }

  @Test func `A page that another application shares fills in the address of a new feed`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    for query in [
      "address=https://a.example/x", "address=&text=Look%20https://a.example/x",
      "text=A%0Ahttps://a.example/x",
    ] {
      #expect(await rig.get("feeds/add", query).text.contains("value=\"https://a.example/x\""), "\(query)")
    }
    let page = await rig.get("feeds/add", "text=javascript:alert(1)")
    // Only the bookmark is a script, with newsd's own address.
    #expect(page.count("javascript:") == 1 && page.count("alert(1)") == 0)
    #expect(page.text.contains("http://127.0.0.1:8788/news/feeds/add?address="))
  }
}

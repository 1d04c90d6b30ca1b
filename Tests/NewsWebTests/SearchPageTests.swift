import NewsHTTP
import Modules
import NewsCore
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: search and suggestions` {
  @Test func `The last word of a search is a prefix, also where all matches are marked`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Bridges of stone"), ParsedItem("A brigade"), ParsedItem("Rivers")])
    await rig.logIn()
    #expect(await rig.get("search", "q=bri").count("<article") == 2)
    #expect(await rig.get("search", "q=bri%20").count("<article") == 0)
    #expect(await rig.get("search", "q=bridge").text.contains("/searches?q=bridge%2A"))
    let form = [
      (name: "as", value: "read"), (name: "list", value: "/search?q=bri"), (name: "older", value: "0"),
    ]
    let answer = await rig.post("marks", form, fields: [("Accept", "application/json")])
    #expect(answer.text.contains("\"unread\":1"))
  }

  @Test func `A page of another site cannot make newsd search: it leads to the form`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Bridges of stone")])
    await rig.logIn()
    let foreign = await rig.get("search", "q=bridges", fields: [("Sec-Fetch-Site", "cross-site")])
    #expect(foreign.status == 200 && foreign.count("<article") == 0)
    #expect(foreign.text.contains("value=\"bridges\""))
    let own = await rig.get("search", "q=bridges", fields: [("Sec-Fetch-Site", "none")])
    #expect(own.count("<article") == 1)
  }

  @Test func `A search has links that narrow it, before its last word, and that widen it again`() async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Bridges")], title: "Stone \"age\"")
    await rig.logIn()
    let page = await rig.get("search", "q=bri")
    #expect(page.text.contains("href=\"/news/search?q=is%3Aunread%20bri\""))
    #expect(page.text.contains("href=\"/news/search?q=since%3A7d%20bri\""))
    #expect(page.text.contains("q=feed%3A%22Stone%20%5C%22age%5C%22%22%20bri\""))
    let narrow = await rig.get("search", "q=feed%3A%22Stone%20%5C%22age%5C%22%22%20is%3Aunread%20bri")
    #expect(narrow.count("<article") == 1)
    let open = narrow.all(from: "aria-current=\"true\"", to: "</a>")
    #expect(open.count == 2 && open.allSatisfy { $0.contains("(remove)") })
    #expect(narrow.text.contains("href=\"/news/search?q=is%3Aunread%20bri\""))
    #expect(!(await rig.get("unread")).text.contains("class=\"chips\""))
  }

  @Test func `An open quotation mark or parenthesis is explained`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Bridges")])
    await rig.logIn()
    let quote = await rig.get("search", "q=%22bridges")
    #expect(
      quote.text.contains("the quotation mark &quot; is not closed") || quote.text.contains("mark \" is not")
    )
    #expect(await rig.get("search", "q=feed:(").text.contains("the parenthesis is not closed"))
    #expect(!(await rig.get("search", "q=%22bridges%22%20(a)")).text.contains("not closed"))
  }

  @Test func `Suggestions are feeds, folders, labels, saved and recent searches, escaped`() async throws {
    let rig = try WebRig()
    let feed = try await rig.fill([ParsedItem("One")], title: "Bri<b>\u{301}dges", folder: "Work/Bricks")
    await rig.logIn()
    _ = await rig.post("items/1/labels", [("add", "brilliant")])
    _ = await rig.post("searches", [("name", "My bricks"), ("query", "bricks")])
    #expect(await rig.post("searches/recent", [("q", "bridge toll")]).status == 200)
    let answer = await rig.get("suggestions", "q=bri")
    let links = answer.all(from: "href=\"", to: "\"")
    let paths = [
      "/news/feed/\(feed.id.rawValue)", "/news/folder/Work/Bricks", "/news/search?q=label%3Abrilliant",
      "/news/saved/My%20bricks", "/news/search?q=bridge%20toll",
    ]
    #expect(links == paths)
    #expect(answer.text.contains("Bri&lt;b") && !answer.text.contains("<b"))
    let earlier = await rig.get("suggestions", "q=")
    #expect(earlier.all(from: "href=\"", to: "\"") == Array(paths.suffix(2)))
    #expect(await rig.get("suggestions", "q=" + String(repeating: "a", count: 9000)).status == 400)
  }

  @Test func `Strangers get no suggestions and store no search`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")], title: "Secret")
    #expect(await rig.get("suggestions", "q=sec").location?.hasPrefix("/news/login?") == true)
    #expect(await rig.post("searches/recent", [("q", "x")]).status == 403)
    await rig.logIn()
    #expect(await rig.post("searches/recent", [("q", "x")], hasToken: false).status == 403)
    #expect(try await rig.store.recentSearches(limit: 5).isEmpty)
  }
}

@Suite struct `Web page: adding a feed` {
  @Test func `A page is looked up: its feeds are shown with items and rate, and nothing is stored`()
    async throws
  {
    let rig = try WebRig(fetcher: FakeNetwork())
    await rig.logIn()
    let form = [(name: "address", value: "https://site.example/"), (name: "folder", value: "New")]
    let found = await rig.post("feeds/find", form)
    #expect(found.status == 200 && found.count("class=\"candidate\"") == 2)
    #expect(found.text.contains("All &lt;posts&gt;") && found.text.contains("Cannot reach the host"))
    #expect(found.text.contains("First item") && found.text.contains("1 item without times"))
    #expect(try await rig.store.feeds().isEmpty)
    let forms = found.all(from: "action=\"/news/feeds/add\"", to: "</form>")
    #expect(
      forms.count == 2 && forms.allSatisfy { $0.contains("name=\"public\"") && $0.contains("value=\"New\"") }
    )
    let added = await rig.post(
      "feeds/add",
      [("address", "https://site.example/two.xml"), ("from", "/feeds/add")]
    )
    let feed = try #require(try await rig.store.feeds().first)
    #expect(added.location == "/news/feed/\(feed.id.rawValue)")
    let again = await rig.post("feeds/find", [("address", "https://site.example/two.xml")])
    #expect(again.text.contains("Subscribed: ") && !again.text.contains("action=\"/news/feeds/add\""))
  }

  @Test(arguments: ["file:///etc/passwd", "exec:/bin/true", "https://gone.example/", "http://", ""])
  func `An address without a feed is answered with the reason, and stays in the form`(_ address: String)
    async throws
  {
    let rig = try WebRig(fetcher: FakeNetwork())
    await rig.logIn()
    for path in ["feeds/find", "feeds/add"] {
      let answer = await rig.post(path, [("address", address), ("folder", "New"), ("from", "/feeds/add")])
      #expect(answer.status >= 400 && answer.location == nil)
      #expect(address != "http://" || answer.text.contains("This is not an address on the web."))
      #expect(answer.text.contains("role=\"alert\"") && answer.text.contains("action=\"/news/feeds/find\""))
      #expect(answer.text.contains("value=\"\(address)\"") && answer.text.contains("value=\"New\""))
    }
  }

  @Test func `Only a form of the session looks anything up`() async throws {
    let network = CountingNetwork()
    let rig = try WebRig(fetcher: network)
    let form = [(name: "address", value: "https://site.example/")]
    #expect(await rig.post("feeds/find", form).status == 403)
    await rig.logIn()
    #expect(await rig.post("feeds/find", form, hasToken: false).status == 403)
    #expect(await rig.post("feeds/find", form, fields: [("Origin", "https://evil.example")]).status == 403)
    let page = await rig.get("feeds/add", "address=https%3A%2F%2Fsite.example%2F")
    #expect(page.text.contains("value=\"https://site.example/\""))
    #expect(network.count.withLock { $0 } == 0)
    _ = await rig.post("feeds/find", form)
    #expect(network.count.withLock { $0 } == 1)
  }
}

/// Counts requests and answers none.
final class CountingNetwork: Fetching {
  let count = Mutex(0)

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    count.withLock { $0 += 1 }
    throw FetchError(code: .hostNotFound, message: "cannot reach the host")
  }
}

import NewsHTTP
import Modules
import NewsCore
import NewsStoresShared
import Testing

@testable import NewsSQLite
@testable import NewsWeb

@Suite struct `Web page: marks` {
  private func unread(_ rig: WebRig) async throws -> Set<Int64> {
    Set(
      try await rig.store.items(ItemRequest(query: .isRead(false), parts: [])).map(\.item.id.rawValue)
    )
  }

  @Test func `A button marks an item and leads back to its page`() async throws {
    let rig = try WebRig()
    try await rig.fill((1...3).map { ParsedItem("Item \($0)") })
    await rig.logIn()
    let id = try await rig.ids()[1]
    let answer = await rig.post("items/\(id)", [("as", "read"), ("from", "/feed/1?show=unread")])
    #expect(answer.location == "/news/feed/1?show=unread")
    #expect(try await !unread(rig).contains(id))
    _ = await rig.post("items/\(id)", [("as", "starred"), ("from", "//evil.example")])
    #expect(try await rig.store.item(NewsItem.ID(rawValue: id)).isStarred)
    #expect(await rig.get("starred").count("<article data-id") == 1)
  }

  @Test func `If the page's script marks an item, the answer has its marks and the number of unread items`()
    async throws
  {
    let rig = try WebRig()
    try await rig.fill((1...3).map { ParsedItem("Item \($0)") })
    await rig.logIn()
    let id = try await rig.ids()[0]
    let json = [(name: "Accept", value: "application/json")]
    let answer = await rig.post("items/\(id)", [("as", "read")], fields: json)
    #expect(answer.status == 200)
    #expect(answer.text == "{\"id\":\(id),\"read\":true,\"starred\":false,\"unread\":2}")
    #expect(await rig.post("items/99", [("as", "read")], fields: json).status == 404)
  }

  @Test
  func
    `Marks that waited in the browser are made in the order of their times, and refused if later ones exist`()
    async throws
  {
    let rig = try WebRig()
    try await rig.fill((1...3).map { ParsedItem("Item \($0)") })
    await rig.logIn()
    let ids = try await rig.ids()
    let file = try Connection(path: rig.directory + "/news.db", access: .writing, busyTimeout: 1000)
    try file.execute("UPDATE change_times SET time = time - 1000")
    // The store's clock is that of this machine, the page's that of the rig.
    _ = await rig.post("items/\(ids[2])", [("as", "starred")])
    let now = WebRig.now.seconds
    let answer = await rig.post(
      "marks/late",
      [
        ("mark", "\(ids[0]) unread \(now - 10)"), ("mark", "\(ids[0]) read \(now - 20)"),
        ("mark", "\(ids[1]) read \(now - 20)"), ("mark", "\(ids[2]) unstarred 99999999999"),
        ("mark", "99 read \(now)"),
      ],
      fields: [("Accept", "application/json")]
    )
    #expect(answer.status == 200)
    let states = [
      "{\"id\":\(ids[2]),\"read\":false,\"starred\":true}",
      "{\"id\":\(ids[1]),\"read\":true,\"starred\":false}",
      "{\"id\":\(ids[0]),\"read\":false,\"starred\":false}",
    ]
    for state in states { #expect(answer.text.contains(state), "\(answer.text)") }
    #expect(
      answer.text.contains(
        "{\"id\":\(ids[2]),\"as\":\"unstarred\",\"why\":\"it was marked later elsewhere\",\"title\":\"Item 3\"}"
      )
    )
    #expect(answer.text.contains("\"why\":\"it was removed\",\"title\":\"Item 99\""))
    #expect(answer.text.hasSuffix("\"unread\":2}"))
    for bad in ["1", "x read 1", "1 forget 1", "1 read -1", "1 read 1 1"] {
      #expect(await rig.post("marks/late", [("mark", bad)]).status == 400)
    }
    #expect(await rig.post("marks/late", [("mark", "1 read 1")], hasToken: false).status == 403)
  }

  @Test func `A failure of the store is answered without its address`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let id = try await rig.ids()[0]
    let file = try Connection(path: rig.directory + "/news.db", access: .writing, busyTimeout: 1000)
    try file.execute("UPDATE counters SET value = 9223372036854775807 WHERE name = 'sequence'")
    let json = [(name: "Accept", value: "application/json")]
    let answers = [
      await rig.post("items/\(id)", [("as", "read")], fields: json),
      await rig.post("items/\(id)", [("as", "read")]), await rig.get("unread"),
      await rig.post("rules", [("query", "one"), ("action", "read")]),
    ]
    #expect(answers[0].status >= 500)
    #expect(answers[0].text.contains("newsd cannot use its store"))
    for answer in answers { #expect(!answer.text.contains(rig.directory), "\(answer.text)") }
  }

  @Test func `A post without the CSRF token, with a wrong one or from another site changes nothing`()
    async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let path = "items/\(try await rig.ids()[0])"
    let form = [(name: "as", value: "read")]
    #expect(await rig.post(path, form, hasToken: false).status == 403)
    #expect(await rig.post(path, form + [("csrf", "0")], hasToken: false).status == 403)
    #expect(await rig.post(path, form, fields: [("Sec-Fetch-Site", "cross-site")]).status == 403)
    #expect(await rig.post(path, form, fields: [("Sec-Fetch-Site", "same-site")]).status == 403)
    #expect(await rig.post(path, form, fields: [("Origin", "https://evil.example")]).status == 403)
    #expect(await rig.post(path, form, fields: [("Origin", "null")]).status == 403)
    #expect(try await unread(rig).count == 1)
    let own = [("Sec-Fetch-Site", "same-origin"), ("Origin", "http://127.0.0.1:8788")]
    #expect(await rig.post(path, form, fields: own.map { ($0.0, $0.1) }).status == 303)
    #expect(try await unread(rig).isEmpty)
  }

  @Test func `Marking a page marks its unread items, and Undo reverts this`() async throws {
    let rig = try WebRig()
    try await rig.fill((1...60).map { ParsedItem("Item \($0)") })
    await rig.logIn()
    let page = await rig.get("unread")
    let ids = page.all(from: "<input type=\"hidden\" name=\"id\" value=\"", to: "\"")
    #expect(ids.count == 50)
    let answer = await rig.post("marks", ids.map { ("id", $0) } + [("as", "read"), ("from", "/unread")])
    #expect(answer.location == "/news/unread")
    #expect(try await unread(rig).count == 10)
    let next = await rig.get("unread")
    #expect(next.text.contains("50 items marked read."))
    #expect(next.text.contains("action=\"/news/undo\""))
    #expect(!(await rig.get("unread")).text.contains("50 items marked read."))
    _ = await rig.post("undo")
    #expect(try await unread(rig).count == 60)
    _ = await rig.post("undo")
    #expect(await rig.get("unread").text.contains("nothing left to undo"))
  }

  @Test func `Undo also takes back the marks of the same stories in other feeds, and the notice counts them`()
    async throws
  {
    let rig = try WebRig()
    let titles = ["Harbour reopens after the long winter storm", "Council votes on the new northern bridge"]
    for place in 1...2 {
      try await rig.fill(
        titles.map { title in
          var item = ParsedItem(title, url: "https://paper\(place).example/\(title.utf8.count)")
          item.contentText = String(repeating: title + " as reporters have seen it. ", count: 12)
          return item
        },
        title: String(repeating: "Paper", count: place)
      )
    }
    await rig.logIn()
    _ = await rig.post("marks", [("as", "read"), ("list", "/feed/1"), ("older", "0")])
    #expect(try await unread(rig).isEmpty)
    #expect(await rig.get("unread").text.contains("4 items marked read."))
    _ = await rig.post("undo")
    #expect(try await unread(rig).count == 4)
    let ids = try await rig.ids()
    let json = [(name: "Accept", value: "application/json")]
    let answer = await rig.post("marks", [("as", "read"), ("id", String(ids[0]))], fields: json)
    let changed = answer.all(from: "\"ids\":[", to: "]").first?.split(separator: ",") ?? []
    #expect(changed.count == 2 && answer.text.contains("\"unread\":2"))
    _ = await rig.post("marks", changed.map { ("id", String($0)) } + [("as", "unread")], fields: json)
    #expect(try await unread(rig).count == 4)
  }

  @Test func `A whole feed can be marked read, and so can the items of a list that are older than a day`()
    async throws
  {
    let rig = try WebRig()
    let feed = try await rig.fill((1...40).map { ParsedItem("Item \($0)") })
    try await rig.fill([ParsedItem("Other")], title: "Another feed")
    await rig.logIn()
    _ = await rig.post("marks", [("as", "read"), ("list", "/unread"), ("older", "86400")])
    #expect(try await unread(rig).count == 25)
    _ = await rig.post("marks", [("as", "read"), ("list", "/feed/\(feed.id.rawValue)"), ("older", "0")])
    #expect(try await unread(rig).count == 1)
    for form in [
      [("as", "read"), ("list", "/search?q="), ("older", "0")], [("as", "read"), ("list", "/unread")],
      [("as", "read")], [("as", "gone"), ("id", "1")], [],
    ] {
      #expect(await rig.post("marks", form.map { ($0.0, $0.1) }).status == 400)
    }
    #expect(try await unread(rig).count == 1)
  }

  @Test func `The items that a search finds can be marked read, and the script gets their ids`() async throws
  {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Apples"), ParsedItem("Pears"), ParsedItem("More apples")])
    await rig.logIn()
    let ids = try await rig.ids()
    let form = [(name: "as", value: "read"), ("list", "/search?q=apples"), ("older", "0")]
    let answer = await rig.post("marks", form, fields: [("Accept", "application/json")])
    #expect(answer.text == "{\"ids\":[\(ids[0]),\(ids[2])],\"as\":\"read\",\"unread\":1}")
    #expect(try await unread(rig) == [ids[1]])
    #expect(!(await rig.get("unread")).text.contains("items marked"))
  }

  @Test func `The page does not name the ids of items that are gone`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let json = [(name: "Accept", value: "application/json")]
    for (form, said) in [
      ([("id", "98")], "The item was removed.\n"),
      ([("id", "98"), ("id", "99")], "The items were removed.\n"),
    ] as [([(name: String, value: String)], String)] {
      let answer = await rig.post("marks", form + [("as", "read")], fields: json)
      #expect(answer.status == 404 && answer.text == said)
    }
    for (path, form) in [("items/98", ("as", "read")), ("items/98/labels", ("add", "x"))]
      as [(String, (name: String, value: String))]
    {
      _ = await rig.post(path, [form])
      let page = await rig.get("all").text
      #expect(page.contains("The item was removed.") && !page.contains("item 98"), "\(path)")
    }
  }

  @Test func `An item's page shows its labels, and forms add and remove them`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let id = try await rig.ids()[0]
    let answer = await rig.post("items/\(id)/labels", [("add", " lätér & <b> "), ("from", "/item/\(id)")])
    #expect(answer.location == "/news/item/\(id)")
    #expect(try await rig.store.item(NewsItem.ID(rawValue: id)).labels == ["lätér & <b>"])
    let page = await rig.get("item/\(id)")
    #expect(page.text.contains("1 item labelled &#39;lätér &amp; &lt;b&gt;&#39;."))
    #expect(page.text.contains("href=\"/news/search?q=label%3A%22l%C3%A4t%C3%A9r%20%26%20%3Cb%3E%22\""))
    let found = await rig.get("search", "q=label%3A%22l%C3%A4t%C3%A9r%20%26%20%3Cb%3E%22")
    #expect(found.count("<article data-id") == 1)
    _ = await rig.post("items/\(id)/labels", [("remove", "lätér & <b>")])
    #expect(try await rig.store.item(NewsItem.ID(rawValue: id)).labels.isEmpty)
    _ = await rig.post("items/\(id)/labels", [("add", " ")])
    #expect(await rig.get("unread").text.contains("A label must have 1 to 200 bytes"))
    #expect(await rig.post("items/\(id)/labels").status == 400)
    #expect(await rig.post("items/\(id)/labels", [("add", "x")], hasToken: false).status == 403)
  }

  @Test func `A notice repeats only the beginning of a long text`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("Item")])
    await rig.logIn()
    let before = await rig.get("item/1").text.utf8.count
    _ = await rig.post("items/1/labels", [("remove", String(repeating: "x", count: 100_000))])
    let after = await rig.get("item/1")
    #expect(after.text.contains("removed") || after.text.contains("xxx"))
    #expect(after.text.utf8.count < before + 2000)
  }

  @Test func `The button 'Save' passes the item to the hooks that save items`() async throws {
    let rig = try WebRig()
    try await rig.fill([ParsedItem("One")])
    await rig.logIn()
    let id = try await rig.ids()[0]
    #expect(await rig.get("item/\(id)").text.contains("formaction=\"/news/items/\(id)/save\""))
    _ = await rig.post("items/\(id)/save")
    let refused = await rig.get("unread").text
    #expect(refused.contains("none is set up yet") && refused.contains("href=\"/news/settings#hooks\""))
    var hook = Hook(name: "later", target: .exec(["true"]))
    hook.events = [.saved]
    try await rig.store.register([hook], isComplete: true)
    _ = await rig.post("items/\(id)/save")
    #expect(await rig.get("unread").text.contains("1 item passed to the hook later."))
    #expect(try await rig.store.hookStates().map(\.pending) == [1])
    _ = await rig.post("items/99/save")
    #expect(await rig.get("unread").text.contains("The item was removed."))
  }

  @Test func `Logging out ends the session`() async throws {
    let rig = try WebRig()
    await rig.logIn()
    #expect(await rig.get("unread").status == 200)
    let answer = await rig.post("logout")
    #expect(answer.location == "/news/login")
    #expect(answer.fields.first("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(await rig.get("unread").location == "/news/login?to=%2Funread")
    let fields = await rig.get("login").all(from: "<input", to: ">").filter { $0.contains(" autofocus") }
    #expect(fields.count == 1 && fields[0].contains("name=\"name\""))
    let refused = await rig.post("login", [("name", "anna"), ("password", "wrong")], hasToken: false)
    let focused = refused.all(from: "<input", to: ">").filter { $0.contains(" autofocus") }
    #expect(refused.status == 403 && focused.count == 1 && focused[0].contains("name=\"password\""))
  }
}

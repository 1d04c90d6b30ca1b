import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

@Suite struct `Reader prompts` {
  @Test func `Enter keeps the last word of a search as a prefix, unless a space follows it`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("/")
    await rig.type("kern")
    await rig.press("Enter")
    #expect(rig.lines[0].hasPrefix(" / kern* "))
    #expect(rig.text.contains("Kernel 7.3"))
    await rig.press("q", "/")
    await rig.type("kernel ")
    await rig.press("Enter")
    #expect(rig.lines[0].hasPrefix(" / kernel "))
  }

  @Test func `An empty search prompt lists earlier searches`() async throws {
    let rig = try ReaderRig(.reading)
    rig.store.state.withLock { $0.searches = ["swift"] }
    await rig.start()
    await rig.press("/")
    #expect(rig.lines[1].contains("Type words"))
    #expect(rig.lines[3].hasSuffix("swift"))
    await rig.press("Up")
    #expect(rig.text.contains("Swift 6.4"))
  }

  @Test
  func `Marking a search marks all matches, also those not yet loaded, and one undo reverts it`()
    async throws
  {
    let items = (1...450).map { NewsItem.sample(Int64($0), "Item \($0)", hoursAgo: Int64($0), isRead: false) }
    let rig = try ReaderRig(FakeStore(items: items, feeds: [.sample(1, "Example")]))
    await rig.start()
    await rig.press("/")
    await rig.type("item")
    await rig.press("Enter", "A")
    #expect(rig.store.state.withLock { $0.items.allSatisfy(\.isRead) })
    #expect(rig.lines.last == "450 items marked read")
    await rig.press("u")
    #expect(rig.store.state.withLock { $0.items.allSatisfy { !$0.isRead } })
  }

  @Test func `A saved search is removed after one question`() async throws {
    let rig = try ReaderRig(.reading, saved: [SavedSearch(name: "Swift", query: "swift -taylor")])
    await rig.start()
    await rig.press("j", "j", "D")
    #expect(rig.lines.last == "Remove the search 'Swift'? (y/n)")
    await rig.press("y")
    #expect(rig.lines.last == "removed the search 'Swift'")
  }

  @Test func `The command prompt has a history, and its command q quits the reader`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press(":")
    await rig.type("starred")
    await rig.press("Enter", ":", "Up")
    #expect(rig.lines.last == ":starred")
    await rig.press("Ctrl-U")
    await rig.type("q")
    await rig.press("Enter")
    #expect(rig.state.isOver)
  }

  @Test func `If not all completions fit on the line, those from the selected one on are shown`() {
    var prompt = Prompt(.command, DisplayText(":"))
    prompt.complete(["alpha-one", "alpha-two", "alpha-three"])
    prompt.nextCompletion()
    prompt.nextCompletion()
    prompt.nextCompletion()
    var grid = ScreenGrid(ScreenSize(rows: 4, columns: 24))
    prompt.draw(on: &grid)
    #expect(grid.lines[2] == "… alpha-three")
    #expect(grid.lines[3] == ":alpha-three")
  }
}

@Suite struct `Reader messages` {
  private static let long =
    "https://example.org/feed answered 503 (overloaded or under repair). It is left out: try again later."

  @Test func `A message that is longer than a line takes several, until the next key`() async throws {
    let rig = try ReaderRig(.reading, columns: 40)
    await rig.start()
    await rig.take(.told(ReaderMessage(DisplayText(line: Self.long), isError: true)))
    #expect(rig.lines.suffix(3).joined(separator: " ") == Self.long)
    await rig.press("j")
    #expect(!rig.text.contains("left out"))
  }

  @Test(arguments: [(5, 20), (3, 10), (2, 4), (1, 1)])
  func `A message of any length leaves the title visible`(_ rows: Int, _ columns: Int) async throws {
    let rig = try ReaderRig(.reading, columns: columns, rows: rows)
    await rig.start()
    // An unfinished number takes room in the last line.
    await rig.type("99999")
    let title = rig.lines[0]
    let text = String(repeating: "e\u{301}\u{202E}漢 ", count: 20_000)
    await rig.take(.told(ReaderMessage(DisplayText(line: text), isError: true)))
    #expect(rig.lines.count == rows)
    #expect(rig.lines[0] == title)
  }

  @Test func `A number without a link gives a message with the existing links`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "Enter", "9", "Enter")
    #expect(rig.lines.last == "there is no link 9: this item has one link")
    await rig.press("3", "y")
    #expect(rig.lines.last == "there is no link 3: this item has one link")
    #expect(rig.external.isEmpty)
    await rig.press("1", "o")
    #expect(rig.external.count == 1)
  }

  @Test func `A refresh that fails names the key that shows why`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    var content = RefreshViewModel()
    content.done = 3
    content.total = 3
    content.failures = 1
    let failure = UserMessage(code: .someFailed, text: "1 of 3 feeds failed")
    await rig.take(.refreshing(.failed(failure, keeping: content)))
    #expect(rig.lines.last == "3 feeds in 0.0 s: 0 new items, 1 failed; S shows which feeds, and why")
    content.networkIsDown = true
    await rig.take(.refreshing(.failed(failure, keeping: content)))
    #expect(rig.lines.last?.hasSuffix("Is the network up?") == true)
  }

  @Test func `The status screen shows the full reason of a failure, even on a narrow terminal`() async throws
  {
    let rig = try ReaderRig(.reading, columns: 30, rows: 40)
    await rig.start()
    await rig.press("S")
    let text = rig.lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(text.contains("503 Service Unavailable"), "\(rig.text)")
  }

  @Test func `The command prompt opens the status screen with the polls of the time it names`() async throws {
    let rig = try ReaderRig(.reading, columns: 60, rows: 40)
    await rig.start()
    await rig.press("S")
    #expect(!rig.text.contains("What is due"))
    await rig.press(":")
    await rig.type("status --plan 2d")
    await rig.press("Enter")
    #expect(rig.text.contains("What is due within 2 days"), "\(rig.text)")
  }

  @Test func `A line that is wrapped keeps the gap between id and title`() {
    let text = DisplayText(line: "69  500: failed 3 times")
    let lines = TextScreen.LineText(text: text, indent: 2)
      .wrapped(DisplayWidth(ambiguousIsWide: false), columns: 16)
    #expect(lines.map { $0.text.string.replacing("\u{A0}", with: " ") } == ["69  500: failed", "  3 times"])
  }

  @Test func `The title of an item shows star, unread mark and scroll position`() async throws {
    let rig = try ReaderRig(.reading, columns: 72, rows: 12)
    await rig.start()
    await rig.press("Enter", "Enter")
    let first = rig.lines[0]
    #expect(first.hasSuffix(" %"))
    await rig.press("s", "m", "G")
    #expect(rig.lines[0].hasSuffix("★ unread 100 %"))
  }

  @Test(arguments: [(1, "?:keys"), (6, "?:keys"), (20, "Enter:open  ?:keys")])
  func `Hints that do not fit are omitted entirely, the one for help last`(_ columns: Int, _ shown: String) {
    let hints = ReaderFrame.hints(.standard, .list) { $0.utf8.count <= columns }
    #expect(hints == shown)
  }

  @Test func `A choice between programs shows the key that chooses one and the key that goes back`()
    async throws
  {
    var options = ReaderOptions()
    options.actions = [
      ReaderProgram(name: "save", words: ["save"]), ReaderProgram(name: "mail", words: ["mail"]),
    ]
    let rig = try ReaderRig(.reading, options: options)
    await rig.start()
    await rig.press("Enter", "e")
    #expect(rig.lines.last == "Enter:choose  q:back")
  }

  @Test func `A feed being added shows a message until the server answers`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    let route = FeedsAddRoute("https://example.org/")
    rig.add(route)
    await rig.press("j")
    #expect(rig.lines.last == "Asking for the feed …")
    let failure = UserMessage(code: .unreachable, text: "no answer")
    await rig.take(.added(.failed(failure), route))
    #expect(rig.lines.last == "no answer")
    await rig.press("j")
    #expect(rig.lines.last?.contains("Asking") == false)
  }
}

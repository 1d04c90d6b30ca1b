import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

@Suite struct `Reader keys` {
  @Test func `Opening an item marks it read, and the list then shows it as read`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter")
    #expect(rig.selected.hasPrefix("●"))
    await rig.press("Enter", "q")
    #expect(rig.selected.hasPrefix(" "))
    #expect(rig.store.state.withLock { $0.items[0].isRead })
  }

  @Test func `An opened item that is marked unread stays unread after a reload, and m marks it read`()
    async throws
  {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "Enter", "m")
    await rig.take(.changed(StoreChanges(entries: nil)))
    #expect(rig.lines[0].contains("unread"))
    await rig.press("m")
    #expect(rig.store.state.withLock { $0.items[0].isRead })
  }

  @Test func `Undo reverts the last mark first, and the marks of a whole list as one step`() async throws {
    let store = FakeStore.reading
    let before = store.state.withLock { $0.items }
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter", "s", "m", "A")
    #expect(store.state.withLock { $0.items.allSatisfy(\.isRead) })
    await rig.press("u")
    #expect(store.state.withLock { $0.items.count { !$0.isRead } } == 3)
    await rig.press("u", "u")
    #expect(store.state.withLock { $0.items } == before)
    await rig.press("u")
    #expect(rig.lines.last == "nothing to undo")
  }

  @Test func `Undo also takes back the marks of the other items of a story`() async throws {
    let store = FakeStore.reading
    let ids = store.state.withLock { $0.items.filter { !$0.isRead }.map(\.id) }
    store.state.withLock { $0.stories = [[ids[0], ids[1]]] }
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter", "m")
    #expect(store.state.withLock { $0.items.count { !$0.isRead } } == ids.count - 2)
    await rig.press("u")
    #expect(rig.lines.last == "undone: 2 items unread")
    #expect(store.state.withLock { $0.items.filter { !$0.isRead }.map(\.id) } == ids)
  }

  @Test func `L gives the item a label, and a minus sign before the label removes it`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "L")
    await rig.type(" später ")
    await rig.press("Enter")
    #expect(rig.lines.last?.hasPrefix("1 item labelled 'später'") == true)
    let labelled = try #require(rig.store.state.withLock { $0.items.first { $0.labels == ["später"] } })
    await rig.press("Enter", "L")
    await rig.type("-später")
    await rig.press("Enter")
    #expect(rig.lines.last?.hasPrefix("label 'später' removed from 1 item") == true)
    #expect(rig.store.state.withLock { $0.items.allSatisfy(\.labels.isEmpty) })
    await rig.press("W", "q", "W")
    let id = labelled.id.rawValue
    #expect(rig.store.state.withLock { $0.log.filter { $0 == "save [\(id)]" }.count } == 2)
    #expect(rig.lines.last?.hasPrefix("1 item passed to the hook later") == true)
  }

  @Test func `P says that an item has neither sound nor video`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "P")
    #expect(rig.lines.last == "this item has no sound or video")
    await rig.press("Enter", "P")
    #expect(rig.lines.last == "this item has no sound or video")
  }

  @Test func `n selects the next unread item, also in another feed`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start(SubscriptionsRouter().list(of: Feed.ID(rawValue: 1)))
    await rig.press("Enter", "n", "n")
    #expect(rig.lines[0].hasPrefix(" Packaging notes"))
    await rig.press("n")
    #expect(rig.lines[0].hasPrefix(" Swift 6.4"))
    await rig.press("n")
    #expect(rig.lines.last == "no item is unread")
    await rig.press("q")
    #expect(rig.lines[0].contains("Swift.org"))
  }

  @Test func `N selects the previous unread item`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "4j", "p")
    #expect(rig.selected.contains("Swift 6.4"))
    await rig.press("N", "N", "N")
    #expect(rig.lines.last == "no unread item before this one")
  }

  @Test func `A number repeats a movement`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "3j")
    #expect(rig.selected.contains("新しい"))
    await rig.press("2k")
    #expect(rig.selected.contains("scheduler"))
    await rig.press("G")
    #expect(rig.selected.contains("Announcing"))
    await rig.press("gg")
    #expect(rig.selected.contains("Kernel 7.3"))
  }

  @Test func `Items stored by another process appear above, and the selection stays`() async throws {
    let store = FakeStore.reading
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter", "2j")
    let item = NewsItem.sample(7, "Just in", feedTitle: "LWN.net", hoursAgo: 0, isRead: false)
    store.state.withLock { $0.items.append(item) }
    let change = Change(sequence: 9, kind: .inserted, itemID: item.id, feedID: item.feedID, item: item)
    await rig.take(.changed(StoreChanges(entries: [.item(change)])))
    #expect(rig.selected.contains("Swift 6.4"))
    await rig.press("gg")
    #expect(rig.selected.contains("Just in"))
  }

  @Test func `In a list of unread items, an item that was read stays until the list is left`() async throws {
    let store = FakeStore.reading
    let rig = try ReaderRig(store)
    await rig.start(.list(ListRoute(filter: ItemFilter(isRead: false))))
    await rig.press("m")
    let item = store.state.withLock { $0.items[0] }
    let change = Change(sequence: 9, kind: .state, itemID: item.id, feedID: item.feedID, item: item)
    await rig.take(.changed(StoreChanges(entries: [.item(change)])))
    #expect(rig.text.contains("Kernel 7.3"))
    await rig.press("q")
    await rig.start(.list(ListRoute(filter: ItemFilter(isRead: false))))
    #expect(!rig.text.contains("Kernel 7.3"))
  }

  @Test func `A removed item leaves the list`() async throws {
    let store = FakeStore.reading
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter")
    let item = store.state.withLock { $0.items.removeFirst() }
    let change = Change(sequence: 9, kind: .deleted, itemID: item.id, feedID: item.feedID, item: nil)
    await rig.take(.changed(StoreChanges(entries: [.item(change)])))
    #expect(!rig.text.contains("Kernel 7.3"))
  }

  @Test func `A list is paged by keyset, never by offset, forwards and backwards from its end`() async throws
  {
    let items = (1...450).map { NewsItem.sample(Int64($0), "Item \($0)", hoursAgo: Int64($0)) }
    let rig = try ReaderRig(FakeStore(items: items, feeds: [.sample(1, "Example")]))
    await rig.start(.list(ListRoute()))
    await rig.type("300j")
    #expect(rig.selected.contains("Item 301"))
    await rig.press("G")
    #expect(rig.selected.contains("Item 450"))
    await rig.type("200k")
    #expect(rig.selected.contains("Item 250"))
    await rig.press("gg")
    #expect(rig.selected.contains("Item 1"))
    #expect(rig.store.state.withLock { $0.requests.allSatisfy { $0.offset == 0 } })
  }

  @Test func `A jump beyond the items in memory selects the right item, forwards and backwards`() async throws
  {
    let items = (1...2500).map { NewsItem.sample(Int64($0), "Item \($0)", hoursAgo: Int64($0)) }
    let rig = try ReaderRig(FakeStore(items: items, feeds: [.sample(1, "Example")]))
    await rig.start(.list(ListRoute()))
    await rig.type("1500j")
    #expect(rig.selected.contains("Item 1501"))
    await rig.type("40k")
    #expect(rig.selected.contains("Item 1461"))
    for _ in 0..<20 { await rig.type("70k") }
    #expect(rig.selected.hasSuffix("Item 61"))
    await rig.type("1500j")
    #expect(rig.selected.hasSuffix("Item 1561"))
    await rig.type("1400k")
    #expect(rig.selected.hasSuffix("Item 161"))
  }

  @Test func `An error is a line that the next key dismisses, and the content stays`() async throws {
    let store = FakeStore.reading
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter")
    store.state.withLock { $0.failure = StoreError(code: .busy, message: "the store is busy") }
    await rig.take(.changed(StoreChanges(entries: nil)))
    #expect(rig.lines.last == "the store is busy")
    #expect(rig.text.contains("Kernel 7.3"))
    await rig.press("j")
    #expect(rig.lines.last?.contains("busy") == false)
  }

  @Test func `Escape leaves a search; Enter opens its matches and adds the query to the search history`()
    async throws
  {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("/")
    await rig.type("swift")
    #expect(rig.text.contains("Swift 6.4"))
    await rig.press("Escape")
    #expect(rig.lines[0].contains("Subscriptions"))
    #expect(rig.store.state.withLock { $0.searches.isEmpty })
    await rig.press("/")
    await rig.type("kernel")
    await rig.press("Enter", "Enter")
    #expect(rig.lines[0].hasPrefix(" Kernel 7.3"))
    #expect(rig.store.state.withLock { $0.searches } == ["kernel*"])
  }

  @Test func `The command prompt completes commands, opens screens and reports unknown commands`()
    async throws
  {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press(":")
    await rig.type("star")
    await rig.press("Tab", "Backspace", "Enter")
    #expect(rig.lines[0].contains("Starred"))
    await rig.press(":")
    await rig.type("nonsense")
    await rig.press("Enter")
    #expect(rig.lines.last == "unknown command nonsense")
  }

  @Test func `A feed is removed after one question`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("G", "D")
    #expect(rig.lines.last?.contains("Remove '東京ニュース' and its 1 item? (y/n)") == true)
    await rig.press("n")
    #expect(rig.store.state.withLock { $0.feeds.count } == 3)
    await rig.press("D", "y")
    #expect(rig.store.state.withLock { $0.feeds.count } == 2)
  }

  @Test func `Only web links are opened in the browser`() async throws {
    let store = FakeStore.reading
    store.state.withLock { $0.items[0].url = "file:///etc/passwd" }
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter", "o")
    #expect(rig.lines.last == "there is no link on the web")
    #expect(rig.external.isEmpty)
    await rig.press("j", "O")
    guard case .run(let call) = try #require(rig.external.first) else { return }
    #expect(call.words == ["xdg-open", "https://example.org/2"])
    #expect(store.state.withLock { $0.items[1].isRead })
  }

  @Test func `Every screen can be drawn in every size`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    for keys in ["Enter", "Enter", "?", "q", "q", "/"] {
      await rig.press(keys)
      for (rows, columns) in [(1, 1), (2, 3), (5, 20), (200, 500), (24, 80)] {
        await rig.take(.resized(ScreenSize(rows: rows, columns: columns)))
        #expect(rig.lines.count == rows)
      }
    }
  }

  @Test func `Help shows the actions of keys as the configuration sets them`() async throws {
    var options = ReaderOptions()
    options.keys.bind(try #require(Key.sequence("x")), to: .toggleStar, in: .list)
    options.keys.bind(try #require(Key.sequence("s")), to: .none, in: .list)
    let rig = try ReaderRig(.reading, rows: 40, options: options)
    await rig.start()
    await rig.press("Enter", "s")
    #expect(!rig.store.state.withLock { $0.items[0].isStarred })
    await rig.press("x")
    #expect(rig.store.state.withLock { $0.items[0].isStarred })
    await rig.press("?")
    #expect(rig.text.contains("x"))
    #expect(!rig.lines.contains { $0.hasPrefix("s ") })
  }

  @Test func `The standard table binds no key twice on a screen, and every action at least once`() {
    let table = KeyTable.standard
    for context in KeyContext.allCases {
      let keys = table.bindings.filter { $0.context == context }.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(context)")
    }
    let actions = Set(table.bindings.map(\.action))
    #expect(Set(ReaderAction.allCases).subtracting(actions) == [.none])
  }

  @Test(arguments: [
    ("j", ["j"]), ("gg", ["g", "g"]), ("Ctrl-F", ["Ctrl-F"]), ("ctrl-f", ["Ctrl-F"]), ("Enter", ["Enter"]),
    ("Space", ["Space"]), ("F5", ["F5"]), ("g s", ["g", "s"]), ("é", ["é"]),
  ])
  func `Keys are read as the configuration writes them`(_ text: String, _ names: [String]) {
    #expect(Key.sequence(text)?.map(\.name) == names)
  }

  @Test(arguments: ["", "Ctrl-", "Entre", "Page"])
  func `An invalid name of a key is rejected`(_ text: String) { #expect(Key.sequence(text) == nil) }

  @Test func `The clipboard sequence is base64 for any link`() {
    let sequence = Clipboard.sequence("https://é.example/\u{1B}\u{7}")
    #expect(String(decoding: sequence, as: UTF8.self) == "\u{1B}]52;c;aHR0cHM6Ly/DqS5leGFtcGxlLxsH\u{7}")
  }

  @Test(arguments: [
    ("swi", "swi*"), ("a", "a"), ("feed:LWN", "feed:LWN"), ("\"open quote", "\"open quote"),
    ("linux ker", "linux ker*"),
    ("linux OR", "linux OR"), ("-win", "-win"), ("東京", "東京*"),
  ])
  func `While a search is being typed, its last word is a prefix`(_ typed: String, _ query: String) {
    #expect(TypedQuery.completing(typed) == query)
  }
}

import Foundation
import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

/// Every screen as text, as recorded in `Screens/`. The pictures in docs/reader.md are copies of these files.
///
/// `NEWSD_RECORD_GOLDEN=1 swift test --filter 'Reader screens'` records them again.
@Suite struct `Reader screens` {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Screens")

  private func expect(_ rig: ReaderRig, _ name: String) throws {
    let file = Self.folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["NEWSD_RECORD_GOLDEN"] != nil {
      try Data(rig.text.utf8).write(to: file)
    }
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let difference = LineDifference(from: recorded, to: rig.text)
    #expect(difference.isEmpty, "\(name) differs from what was recorded:\n\(difference)")
  }

  @Test func `The subscriptions show folders, counts, searches and what fails`() async throws {
    let rig = try ReaderRig(.reading, saved: [SavedSearch(name: "Swift", query: "swift -taylor")])
    await rig.start()
    await rig.press("j", "j", "j")
    try expect(rig, "subscriptions")
  }

  @Test func `A list shows days, marks and feeds`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("Enter", "j")
    try expect(rig, "list")
  }

  @Test func `A narrow list shows titles alone`() async throws {
    let rig = try ReaderRig(.reading, columns: 24, rows: 6)
    await rig.start()
    await rig.press("Enter")
    try expect(rig, "list-narrow")
  }

  @Test func `An item shows its text, links and marks`() async throws {
    let rig = try ReaderRig(.reading, rows: 24)
    await rig.start()
    await rig.press("Enter", "Enter")
    try expect(rig, "item")
  }

  @Test func `A search lists its matches while its words are typed`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start()
    await rig.press("/")
    await rig.type("kernel")
    try expect(rig, "search")
  }

  @Test func `The help screen shows the keys of the screen from which it was opened`() async throws {
    let rig = try ReaderRig(.reading, rows: 30)
    await rig.start()
    await rig.press("Enter", "?")
    try expect(rig, "help")
  }

  /// The table of keys in Markdown, a section for each screen.
  private static func markdown(_ table: KeyTable) -> String {
    var text = ""
    for context in KeyContext.allCases {
      let bindings = table.bindings.filter { $0.context == context }
      guard !bindings.isEmpty else { continue }
      text += "\n### \(context.rawValue)\n\n| keys | action | what it does |\n| --- | --- | --- |\n"
      for binding in bindings {
        let keys = binding.keys.map { "`\($0 == [Key(typing: "|")] ? "\\|" : Key.text($0))`" }
          .joined(separator: " ")
        text += "| \(keys) | `\(binding.action.rawValue)` | \(binding.help) |\n"
      }
    }
    return text
  }

  /// The table and the screens are copied into docs/reader.md by hand: `Screens/keys.md` is recorded with the others.
  @Test func `The documentation shows the key table and the recorded screens`() throws {
    let table = Self.markdown(.standard)
    if ProcessInfo.processInfo.environment["NEWSD_RECORD_GOLDEN"] != nil {
      try Data(table.utf8).write(to: Self.folder.appendingPathComponent("keys.md"))
    }
    let path = Self.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/reader.md")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    #expect(text.contains(table))
    for name in ["subscriptions", "list", "item", "search"] {
      let screen = try String(contentsOf: Self.folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
      #expect(text.contains("```\n\(screen)```"), "\(name) is not as recorded")
    }
  }

  @Test func `Control and direction characters of a feed never reach the grid`() async throws {
    let store = FakeStore(
      items: [.sample(1, "a\u{1B}[2Jb\u{202E}c\u{9B}31m\nd\u{7}", isRead: false)],
      feeds: [.sample(1, "\u{1B}]0;x\u{7}")]
    )
    let rig = try ReaderRig(store)
    await rig.start()
    for keys in ["gg", "Enter", "Enter", "?"] {
      await rig.press(keys)
      let isClean = rig.text.unicodeScalars.allSatisfy { scalar in
        scalar == "\n"
          || scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\u{202E}"
      }
      #expect(isClean, "\(rig.text)")
    }
  }

  @Test func `A letter with thousands of combining marks takes a cell of bounded size`() {
    var grid = ScreenGrid(ScreenSize(rows: 1, columns: 4))
    grid.put(safe: "a" + String(repeating: "\u{301}", count: 5000) + "b", 0, 0)
    #expect(grid.row(0).map(\.text).allSatisfy { $0.unicodeScalars.count <= 12 })
    #expect(grid.row(0).dropFirst().first?.text == "b")
  }

  @Test(arguments: [
    ("plain text", 8, "plain t…"), ("漢字漢字", 6, "漢字…"), ("漢字漢字", 5, "漢字…"), ("short", 8, "short"),
    ("👩‍👩‍👧 family", 9, "👩‍👩‍👧 family"), ("e\u{301}tudes", 4, "e\u{301}tu…"),
  ])
  func `Text is truncated to a number of columns, between grapheme clusters`(
    _ text: String,
    _ columns: Int,
    _ shown: String
  ) {
    var grid = ScreenGrid(ScreenSize(rows: 1, columns: columns))
    grid.put(safe: text, 0, 0)
    #expect(grid.lines == [shown])
  }
}

extension FakeRichText {
  /// A page with typical markup: headings, lists, quotations, code, links.
  static let article = FakeRichText(
    result: RichText(
      blocks: [
        .paragraph(
          [
            .init(text: "The "), .init(text: "driver core", style: .strong),
            .init(text: " of 7.3 is written "),
            .init(text: "in Rust", style: .link, footnote: 1),
            .init(
              text: " throughout. What this means for drivers outside the tree was the question of the day."
            ),
          ],
          indent: 0
        ),
        .heading([.init(text: "What changes")], level: 2),
        .listItem([.init(text: "Probes return a result instead of a number.")], marker: "•", indent: 0),
        .listItem([.init(text: "References are counted by the compiler.")], marker: "•", indent: 0),
        .quotation([.init(text: "It is the same core, with fewer ways to hold it wrong.")], indent: 1),
        .preformatted("fn probe(dev: &Device) -> Result", indent: 0),
      ],
      links: ["https://docs.example/rust"]
    )
  )
}

extension FakeStore {
  /// Three feeds in two folders, with items of three days.
  static var reading: FakeStore {
    let store = FakeStore(
      items: [
        .sample(
          1,
          "Kernel 7.3 merges the last of the driver core in Rust",
          feedTitle: "LWN.net",
          hoursAgo: 1,
          isRead: false
        ),
        .sample(
          2,
          "The kernel's new scheduler class, measured",
          feedTitle: "LWN.net",
          hoursAgo: 3,
          isRead: false
        ),
        .sample(
          3,
          "Swift 6.4 lets noncopyable types into collections",
          feed: 2,
          feedTitle: "Swift.org",
          hoursAgo: 9,
          isRead: false,
          isStarred: true
        ),
        .sample(4, "新しい東京の地下鉄の駅が開業", feed: 3, feedTitle: "東京ニュース", hoursAgo: 15),
        .sample(5, "Packaging notes", feedTitle: "LWN.net", hoursAgo: 27, isRead: false),
        .sample(6, "Announcing the package index", feed: 2, feedTitle: "Swift.org", hoursAgo: 52),
      ],
      feeds: [
        .sample(1, "LWN.net", folder: "Code", unread: 3, items: 3),
        .sample(2, "Swift.org", folder: "Code/Languages", unread: 1, items: 2),
        .sample(3, "東京ニュース", unread: 0, items: 1, failures: 3),
      ]
    )
    store.state.withLock { $0.items[0].contentHTML = "<p>" }
    return store
  }
}

extension Feed {
  static func sample(
    _ id: Int64,
    _ title: String,
    folder: String? = nil,
    unread: Int = 0,
    items: Int = 1,
    failures: Int = 0
  ) -> Feed {
    var feed = Feed(
      id: ID(rawValue: id),
      url: "https://example.org/\(id)",
      title: title,
      folder: folder,
      position: Int(id),
      itemCount: items,
      unreadCount: unread
    )
    feed.fetchState.lastFetched = .noon - 600
    feed.fetchState.nextDue = .noon + 7200
    feed.fetchState.failures = failures
    if failures > 0 { feed.fetchState.lastError = "status 503 Service Unavailable" }
    return feed
  }
}

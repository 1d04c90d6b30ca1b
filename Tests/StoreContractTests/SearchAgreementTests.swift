import NewsSearch
import NewsCore
import NewsStoresShared
import SearchCases
import Testing

/// Rules and `follow` use the matcher; lists use the store. Both must select the same items for a query.
@Suite(.everyStore) struct `Agreement of the store and the matcher that rules use` {
  @Test func `Store and matcher select the same items for 1,500 seeded random queries`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    for feed in SearchFixture.feeds {
      let stored = try await store.add(
        NewFeed(url: feed.url, title: feed.title, folder: feed.folder),
        at: SearchFixture.now
      )
      try await temporary.refresh(stored, feed.items, at: SearchFixture.now.seconds)
    }
    let folders = Dictionary(uniqueKeysWithValues: try await store.feeds().map { ($0.id, $0.folder) })
    let items = try await store.items(ItemRequest()).map(\.item)
    let marked = items.enumerated().filter { $0.offset % 3 == 0 }.map(\.element.id)
    _ = try await store.mark(marked, .read)
    _ = try await store.mark(Array(marked.prefix(4)), .starred)
    try await SearchFixture.label(items.map(\.id), in: store)
    let now = try await store.items(ItemRequest()).map(\.item)
    #expect(now.count == SearchFixture.allIDs.count)

    var words = RandomQueries(items: now)
    var answered = 0
    for _ in 0..<1500 {
      let typed = words.next()
      guard let query = try? QueryParser.parse(typed, now: SearchFixture.now).query else { continue }
      let found = Set(try await store.items(ItemRequest(query: query, parts: [])).map(\.item.guid))
      let matcher = try QueryMatcher(query)
      let matched = now.filter { matcher.matches(MatchSubject($0, folder: folders[$0.feedID] ?? nil)) }.map(
        \.guid
      )
      #expect(found == Set(matched), "\(typed)")
      if !found.isEmpty, found.count < now.count { answered += 1 }
    }
    #expect(answered > 300)
  }
}

extension SearchFixture {
  /// Labels every fifth item and every seventh item.
  static func label(_ ids: [NewsItem.ID], in store: any StorePorts) async throws {
    for (step, label) in [(5, "Later"), (7, "später")] {
      let labelled = ids.enumerated().filter { $0.offset % step == 0 }.map(\.element)
      try await store.edit(labelled, StreamEdit(addedLabels: [label]))
    }
  }
}

/// Random queries from parts of the items' texts; the fixed seed makes them the same in every run.
struct RandomQueries {
  private var state: UInt64 = 20_261_121
  private let texts: [[Unicode.Scalar]]
  private let fields = [
    "is:read", "is:unread", "is:starred", "has:enclosure", "lang:de", "lang:en", "lang:zh", "tag:linux",
    "tag:été", "label:later", "label:LATER", "-label:später", "label:none",
    "feed:tech", "feed:example", "folder:world", "folder:World/Asia", "since:5d", "until:2026-11-10",
    "url:en-",
    "author:ann", "author:Groß", "/[0-9]{4}/", "/ё|的/", "&", "-", "title:",
  ]

  init(items: [NewsItem]) {
    texts = items.map { Array(($0.title + " " + $0.contentText).unicodeScalars) }
  }

  private mutating func number(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) >> 1) % bound
  }

  /// A random part of an item's text; may be cut within words and composed characters.
  private mutating func piece(_ longest: Int) -> String {
    let text = texts[number(below: texts.count)]
    let start = number(below: text.count)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text[start..<min(text.count, start + 1 + number(below: longest))])
    return String(view)
  }

  private mutating func word() -> String {
    let text = texts[number(below: texts.count)]
    let words = text.split(separator: " ")
    var view = String.UnicodeScalarView()
    view.append(contentsOf: words[number(below: words.count)])
    return String(view)
  }

  mutating func next() -> String {
    var typed = ""
    for _ in 0...number(below: 4) {
      let term =
        switch number(below: 9) {
        case 0: "\"" + piece(12) + "\""
        case 1: piece(3) + "*"
        case 2: piece(6)
        case 3: "title:" + word()
        case 4: fields[number(below: fields.count)]
        case 5: "(" + word() + " OR " + word() + ")"
        case 6: "-" + word()
        default: word()
        }
      typed += (number(below: 4) == 0 && !typed.isEmpty ? " OR " : " ") + term
    }
    return typed
  }
}

import NewsStoresShared
import NewsToolbox
import Glibc
import NewsCore
import NewsSQLite
import SearchCases
import Synchronization
import Testing

/// Returns items unchanged: the real cleaner belongs to another target, and the tests of the command use it.
struct UncleanedItems: ItemCleaning {
  func cleanedWithText(_ item: ParsedItem, base: String?) -> ParsedItem { cleaned(item, base: base) }
  func cleaned(_ item: ParsedItem, base: String?) -> ParsedItem { item }
}

/// Marks the parts that it cleaned.
private struct MarkingCleaner: ItemCleaning {
  func cleanedWithText(_ item: ParsedItem, base: String?) -> ParsedItem { cleaned(item, base: base) }
  func cleaned(_ item: ParsedItem, base: String?) -> ParsedItem {
    var item = item
    item.contentHTML = item.contentHTML.map { "clean \($0)" }
    item.url = item.url.map { "clean:\($0)" }
    return item
  }
}

@Suite struct `Importing an untrusted export` {
  private static let head = #"{"type":"newsd","schema":1}"#
  private static let counters = ["feed", "item", "sequence", "items", "unread", "starred", "feedList"]

  /// Returns the lines of a complete export with the line `feed` for its feed and the lines `others` after it.
  private static func export(feed: String, items: Int = 0, _ others: [String] = []) -> [String] {
    let totals = counters.map { name in
      let value = ["items", "unread"].contains(name) ? items : 100
      return #"{"type":"counter","name":"\#(name)","value":\#(name == "starred" ? 0 : value)}"#
    }
    return [head] + totals + [feed] + others
  }

  private func importing(
    _ lines: [String],
    into store: NewsStore,
    _ trust: ImportTrust = .untrusted(UncleanedItems(), SettingsCheck())
  ) async throws -> ImportReport {
    let lines = Mutex(lines.map { Array($0.utf8) }[...])
    return try await store.importAll(trust) { lines.withLock { $0.popFirst() } }
  }

  private static func feed(_ members: String, id: String = "1") -> String {
    #"{"type":"feed","id":\#(id),"position":1,"items":0,"unread":0,"added":1,\#(members)}"#
  }

  @Test(arguments: [
    // Without an id, SQLite would assign one; column affinity converts a numeric text to an integer.
    #"{"type":"feed","url":"exec:touch probe","position":1,"added":1,"settings":"{\"allowsLocalOrigin\":true}"}"#,
    feed(#""url":"exec:touch probe","settings":"{\"allowsLocalOrigin\":true}""#, id: "\"1\""),
    feed(#""url":"exec:touch probe","settings":"{\"allowsLocalOrigin\":true}""#, id: "1.0"),
    // A parser could check the first of two equal members and store the second.
    feed(#""settings":"{}","url":"exec:touch probe","settings":"{\"allowsLocalOrigin\":true}""#),
    feed(#""url":"http://a/\r\nX: y""#),
    feed(#""url":"http://a/","etag":"x\r\nX: y""#),
    feed(#""url":"gopher://a/""#),
    feed(#""url":"http://a/","failures":9223372036854775807"#),
  ])
  func `A feed line with a missing, repeated or invalid member is rejected, and nothing is stored`(
    _ line: String
  ) async throws {
    let temporary = try TemporaryStore()
    let error = await #expect(throws: StoreError.self) {
      try await importing(Self.export(feed: line), into: temporary.store)
    }
    #expect(error?.code == .badQuery)
    #expect(error?.message.contains("line 9") == true)
    #expect(access(temporary.path, F_OK) != 0)
  }

  @Test(arguments: [true, false])
  func `A cooldown in an untrusted export is dropped: it holds up the feeds of other accounts`(
    isTrusted: Bool
  ) async throws {
    let line = Self.feed(#""url":"http://a/","hold_host":"b","hold_until":2000000000"#)
    let trust = isTrusted ? ImportTrust.trusted : .untrusted(UncleanedItems(), SettingsCheck())
    let temporary = try TemporaryStore()
    _ = try await importing(Self.export(feed: line), into: temporary.store, trust)
    #expect(try await temporary.store.dueFeeds().map { $0.cooldown?.host } == [isTrusted ? "b" : nil])
  }

  @Test func `A line with very many values is refused`() async throws {
    let values = String(repeating: "1,", count: JSONValue.mostValuesOfLine) + "1"
    let temporary = try TemporaryStore()
    let error = await #expect(throws: StoreError.self) {
      try await importing(
        Self.export(feed: Self.feed(#""url":"http://a/","x":[\#(values)]"#)),
        into: temporary.store
      )
    }
    #expect(error?.code == .badQuery)
  }

  private static func rule(_ query: String, _ action: String) -> String {
    #"{"type":"rule","number":1,"query":"\#(query)","action":"\#(action)"}"#
  }

  @Test(arguments: [true, false])
  func `Rules in an untrusted export are skipped: they act on all feeds`(isTrusted: Bool) async throws {
    let temporary = try TemporaryStore()
    let lines = Self.export(feed: Self.feed(#""url":"http://a/""#), [Self.rule("-title:x", "drop")])
    let trust = isTrusted ? ImportTrust.trusted : .untrusted(UncleanedItems(), SettingsCheck())
    let report = try await importing(lines, into: temporary.store, trust)
    #expect(try await temporary.store.rules().count == (isTrusted ? 1 : 0))
    #expect(report.rulesLeftOut == (isTrusted ? 0 : 1))
  }

  @Test(arguments: [true, false])
  func `Hooks of the page in an untrusted export are skipped: they would send items elsewhere`(
    isTrusted: Bool
  )
    async throws
  {
    let temporary = try TemporaryStore()
    let hook = #"{"type":"page_hook","name":"a","preset":"mail","filled":"{\"mail\":\"a@b\"}"}"#
    let lines = Self.export(feed: Self.feed(#""url":"http://a/""#), [hook])
    let trust = isTrusted ? ImportTrust.trusted : .untrusted(UncleanedItems(), SettingsCheck())
    _ = try await importing(lines, into: temporary.store, trust)
    #expect(try await temporary.store.pageHooks().map(\.values) == (isTrusted ? [["mail": "a@b"]] : []))
  }

  @Test(arguments: [rule("x", "exec:touch probe"), rule("", "drop")])
  func `A rule with an invalid action or an empty query is rejected`(_ line: String) async throws {
    let temporary = try TemporaryStore()
    let lines = Self.export(feed: Self.feed(#""url":"http://a/""#), [line])
    let error = await #expect(throws: StoreError.self) {
      try await importing(lines, into: temporary.store, .trusted)
    }
    #expect(error?.code == .badQuery)
  }

  @Test func `Settings are restricted as in an untrusted list`() async throws {
    let settings = #"""
      {\"allowsLocalOrigin\":true,\"certificateAuthority\":\"/ca\",\"clientCertificate\":\"/cert\",\
      \"credential\":\"file:/home/u/.git-credentials\",\"encoding\":\"utf-8\",\"headers\":[\"X: y\"],\"keepDays\":5,\
      \"maximumBytes\":4294967296,\"minimumInterval\":60,\"proxy\":\"http://p/\",\"secretsFor\":\"https://e:443\",\
      \"timeout\":3600,\"userAgent\":\"a\\r\\nX: y\",\"verifiesTLS\":false}
      """#.replacing("\\\n", with: "")
    let line = Self.feed(#""url":"http://a/","settings":"\#(settings)""#)
    let temporary = try TemporaryStore()
    let report = try await importing(Self.export(feed: line), into: temporary.store)
    #expect(report.stripped == ["http://a/"])
    #expect(report.untrusted.isEmpty)
    var expected = FeedSettings()
    expected.encoding = "utf-8"
    expected.keepDays = 5
    expected.maximumBytes = FetchLimits().bodyBytes
    expected.minimumInterval = 900
    expected.timeout = 120
    #expect(try await temporary.store.feeds().map(\.settings) == [expected])
  }

  @Test(arguments: ["exec:feed.sh", "file:///etc/passwd"])
  func `A feed from a program or file is stored but not allowed to run or read it`(_ url: String) async throws
  {
    let line = Self.feed(#""url":"\#(url)","settings":"{\"allowsLocalOrigin\":true}""#)
    let careful = try TemporaryStore()
    #expect(try await importing(Self.export(feed: line), into: careful.store).untrusted == [url])
    #expect(try await careful.store.feeds().map(\.settings) == [FeedSettings()])
    let trusting = try TemporaryStore()
    #expect(try await importing(Self.export(feed: line), into: trusting.store, .trusted).untrusted.isEmpty)
    #expect(try await trusting.store.feeds().map(\.settings.allowsLocalOrigin) == [true])
  }

  private static func item(_ members: String) -> String {
    #"{"type":"item","id":1,"feed":1,"sequence":1,"stored":1,"title":"T","text":"t",\#(members)}"#
  }

  @Test func `HTML and URLs of items are sanitized before they are stored`() async throws {
    let line = Self.item(#""url":"javascript:alert(1)","html":"<script>""#)
    let lines = Self.export(feed: Self.feed(#""url":"http://a/""#), items: 1, [line])
      .map { $0.replacing(#""items":0,"unread":0"#, with: #""items":1,"unread":1"#) }
    let careful = try TemporaryStore()
    _ = try await importing(lines, into: careful.store, .untrusted(MarkingCleaner(), SettingsCheck()))
    let stored = try #require(try await careful.store.items(ItemRequest()).first).item
    #expect(stored.url == "clean:javascript:alert(1)")
    #expect(stored.contentHTML == "clean <script>")
    let trusting = try TemporaryStore()
    _ = try await importing(lines, into: trusting.store, .trusted)
    #expect(try await trusting.store.items(ItemRequest()).first?.item.contentHTML == "<script>")
  }

  /// Values of every JSON type, including near misses of each valid value.
  private static let values = [
    "null", "true", "0.5", "1e3", "-0", "\"\"", "\"x\"", "\"1\"", "[]", "[1]", "{}", #"{"a":1}"#,
    "9223372036854775807",
    "-9223372036854775808", "92233720368547758070", "1125899906842625",
  ]
  private static let lines = [
    "counter": ["name", "value"],
    "feed": [
      "id", "url", "user_title", "own_title", "site_url", "folder", "position", "items", "unread", "added",
      "settings",
      "identity", "etag", "last_modified", "validated_url", "body_hash", "next_due", "next_due_reason",
      "last_fetched", "last_status", "last_success", "failures", "failing_since", "last_error", "interval",
      "ttl",
      "skip_hours", "skip_days", "update_interval", "update_base", "moved_url", "moved_since", "moved_polls",
      "is_gone", "max_age", "hold_host", "hold_until", "former_url", "former_changed", "hub_url", "topic_url",
      "rejected_move",
    ],
    "feed_change": ["feed", "sequence", "url"],
    "saved_search": ["number", "name", "query"],
    "search": ["number", "query", "time"],
    "rule": ["number", "query", "action"],
    "tombstone": ["sequence", "id", "feed", "identity", "guid", "url"],
    "item": [
      "id", "feed", "sequence", "first_sequence", "change", "read", "starred", "cluster", "published",
      "updated",
      "stored", "language", "guid", "url", "title", "summary", "text", "html", "details", "versions",
    ],
  ]
  private static let defaults = [
    "counter": #""name":"feed","value":100"#,
    "feed": #""id":2,"url":"http://b/","position":2,"items":0,"unread":0,"added":1"#,
    "feed_change": #""feed":1,"sequence":1"#,
    "saved_search": #""number":1,"name":"n","query":"q""#,
    "search": #""number":1,"query":"q","time":1"#,
    "rule": #""number":1,"query":"q","action":"star""#,
    "tombstone": #""sequence":1,"id":1,"feed":1,"identity":1,"guid":"g""#,
    "item": #""id":1,"feed":1,"sequence":1,"stored":1,"title":"T","text":"t""#,
  ]

  /// Imports each column of each table with a value of each JSON type. Either the whole line is rejected, or the stored
  /// value has the column's type and can be read.
  @Test(arguments: lines.keys.sorted(), [true, false])
  func `A member of any JSON type either makes the import fail or leaves a readable store`(
    _ type: String,
    _ isTrusted: Bool
  )
    async throws
  {
    let trust = isTrusted ? ImportTrust.trusted : .untrusted(UncleanedItems(), SettingsCheck())
    for column in try #require(Self.lines[type]) {
      for value in Self.values {
        let others = try #require(Self.defaults[type]).split(separator: ",")
          .filter { !$0.hasPrefix("\"\(column)\":") }.joined(separator: ",")
        let line = "{\"type\":\"\(type)\",\"\(column)\":\(value)" + (others.isEmpty ? "}" : ",\(others)}")
        let temporary = try TemporaryStore()
        do {
          let feed = Self.feed(#""url":"http://a/""#)
          // Matching totals; otherwise no item would be imported.
          let export =
            type == "item"
            ? Self.export(
              feed: feed.replacing(#""items":0,"unread":0"#, with: #""items":1,"unread":1"#),
              items: 1,
              [line]
            )
            : Self.export(feed: feed, [line])
          _ = try await importing(export, into: temporary.store, trust)
        } catch let error as StoreError {
          #expect(error.code == .badQuery, "\(line): \(error.message)")
          #expect(access(temporary.path, F_OK) != 0, "\(line)")
          continue
        }
        let table = ["counter": "counters", "feed": "feeds", "item": "items"][type]
        if let table,
          let kind = try? temporary.sql("SELECT typeof(\(column)) FROM \(table) ORDER BY rowid DESC")
        {
          #expect(["text", "integer", "null"].contains(kind), "\(line)")
        }
        #expect(try await temporary.store.feeds().count <= 2, "\(line)")
        _ = try await temporary.store.items(ItemRequest())
      }
    }
  }
}

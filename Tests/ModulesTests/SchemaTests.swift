import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// Names on which programs depend. If a test fails here, the change would break such programs: add names, but never
/// change them.
@Suite struct `Names and encodings in output for programs` {
  @Test func `The names and the order of an item's columns are fixed`() {
    #expect(
      Tables.items.names == [
        "id", "feed_id", "feed", "feed_url", "guid", "title", "url", "authors", "published", "updated",
        "stored",
        "summary", "content_text", "content_html", "tags", "enclosures", "language", "is_read", "is_starred",
        "article", "article_reason", "feed_content_html", "seq", "labels", "image", "thumbnail",
        "duration", "episode", "season", "chapters", "transcript", "excerpt",
      ]
    )
    #expect(Tables.items.defaults.map(\.name) == ["id", "published", "feed", "title", "url"])
  }

  @Test func `The names and the order of a feed's columns are fixed`() {
    #expect(
      Tables.feeds.names == [
        "id", "url", "title", "site_url", "folder", "position", "items", "unread", "interval", "next_due",
        "next_due_reason", "last_fetched", "last_status", "failures", "last_error",
      ]
    )
  }

  @Test func `A change's columns are seq, kind, those of an item, and for feeds folder and site_url`() {
    #expect(
      Tables.changes.names
        == ["seq", "kind"] + ItemColumn.all.map(\.name).filter { $0 != "seq" } + [
          "folder", "site_url",
        ]
    )
  }

  @Test func `Formats keep their names`() {
    #expect(
      OutputFormat.allCases.map(\.rawValue) == [
        "text", "tsv", "csv", "json", "jsonl", "ids", "sfeed", "atom", "rss", "jsonfeed", "greader-json",
        "html", "opml",
        "mbox",
        "maildir", "markdown", "template", "prometheus",
      ]
    )
    #expect(throws: UserMessage.self) { try OutputFormat(named: "jsno") }
  }

  @Test func `Exit statuses follow sysexits.h`() {
    let codes: [(Modules.ExitStatus, Int32)] = [
      (.nothingMatched, 1), (.usage, 64), (.badData, 65), (.notFound, 66), (.unreachable, 69),
      (.internalError, 70),
      (.cannotCreate, 73), (.io, 74), (.someFailed, 75), (.configuration, 78),
    ]
    for (code, status) in codes { #expect(code.rawValue == status) }
  }

  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("a\"b\\c", "\"a\\\"b\\\\c\""),
    ("\n\r\t\u{8}\u{C}\u{0}\u{1F}", "\"\\n\\r\\t\\b\\f\\u0000\\u001f\""),
    ("\u{7F}\u{80}\u{9B}\u{A0}", "\"\\u007f\\u0080\\u009b\u{A0}\""),
    ("\u{202E}\u{2066}\u{2028}–", "\"\\u202e\\u2066\\u2028–\""),
    ("12345678\u{1}12345678", "\"12345678\\u000112345678\""),
    ("ünïcödé 日本 👍 and then some", "\"ünïcödé 日本 👍 and then some\""),
  ])
  func `JSON strings are escaped`(_ text: String, _ expected: String) {
    var buffer = ByteBuffer()
    buffer.append(json: text)
    #expect(Array(buffer.string().unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [0, 9, 10, -1, 99, 100, 1_234_567_890_123, .max, .min] as [Int64])
  func `Numbers are written in full`(_ number: Int64) {
    var buffer = ByteBuffer()
    buffer.append(decimal: number)
    #expect(buffer.string() == String(number))
  }

  @Test(
    arguments: [0, -1, 951_782_400, 1_795_176_000, -62_167_219_200, 253_402_300_799, .max, .min] as [Int64]
  )
  func `Times are written as RFC 3339`(_ seconds: Int64) {
    var buffer = ByteBuffer()
    buffer.append(Timestamp(seconds: seconds))
    #expect(buffer.string() == Timestamp(seconds: seconds).rfc3339)
  }
}

import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Text on a terminal` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2),
    ("✈", 1), ("✈️", 2), ("👍🏽", 2), ("a\u{200B}b", 2), ("العربية", 7), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("क्षि", 3),
    ("\u{AD}", 1),
    ("♥︎", 1), ("☰☱☲", 6), ("䷀", 2), ("\u{1D300}", 2), ("🏿", 2), ("a🏻🏼🏽b", 8), ("🇩", 2), ("\u{600}1", 2),
    ("☝🏻", 1),
  ])
  func `Columns are counted by grapheme cluster and East Asian width`(_ text: String, _ columns: Int) {
    #expect(DisplayWidth().columns(text) == columns)
  }

  @Test func `Characters of ambiguous width take one column, or two if the terminal shows them wide`() {
    #expect(DisplayWidth().columns("±§→") == 3)
    #expect(DisplayWidth(ambiguousIsWide: true).columns("±§→") == 6)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("👩‍👩‍👧‍👦x👍🏽", 4, "👩‍👩‍👧‍👦x…"),
    ("ab", 0, ""),
  ])
  func `Text is truncated between grapheme clusters`(_ text: String, _ columns: Int, _ expected: String) {
    let fitted = DisplayWidth().fit(text, into: columns)
    #expect(fitted.text == expected)
    #expect(fitted.columns <= columns)
    #expect(fitted.columns == DisplayWidth().columns(expected))
  }

  @Test(arguments: [
    ("a\u{1B}[0mb", "a\u{FFFD}[0mb"), ("a\tb\nc\r\nd\re", "a b c d e"), ("x\u{9B}1m", "x\u{FFFD}1m"),
    ("\u{202E}x\u{2066}y\u{2069}\u{202C}", "xy"), ("\u{FEFF}x", "x"),
    ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("nul\u{0}", "nul\u{FFFD}"), ("\u{200F}אב", "\u{200F}אב"), ("ok – “fine” …", "ok – “fine” …"),
  ])
  func `A line of display text has no control characters`(_ text: String, _ expected: String) {
    #expect(DisplayText(line: text).string == expected)
  }

  @Test(arguments: [
    ("Hebrew", "אב", true), ("Arabic", "خبر", true), ("Thaana", "ޚަބަރު", true), ("N'Ko", "ߒߞߏ", true),
    ("Adlam", "𞤀", true), ("Latin", "Größe", false), ("Chinese", "新闻", false),
  ])
  func `Scripts that are written from right to left are recognized`(
    _ script: String,
    _ text: String,
    _ isRightToLeft: Bool
  ) {
    #expect(DisplayText(line: text).isRightToLeft == isRightToLeft)
  }

  @Test func `A block of display text keeps line breaks but no other control characters`() {
    #expect(DisplayText(block: "a\r\nb\n\tc\u{1B}\u{2028}d").string == "a\nb\n    c\u{FFFD}\nd")
  }

  @Test func `Removed controls leave no long run of combining marks`() {
    let parts = Array(repeating: String(repeating: "\u{301}", count: 20), count: 5)
    let text = DisplayText(line: "a" + parts.joined(separator: "\u{202A}")).string
    #expect(text.isEqual(bytesOf: "a" + String(repeating: "\u{301}", count: 30)))
  }

  @Test(arguments: [
    ("one two three four", 9, ["one two", "three", "four"]),
    ("averyveryverylongword x", 8, ["averyver", "yverylon", "gword x"]),
    ("今日のニュースです。明日も", 8, ["今日のニ", "ュースで", "す。明日", "も"]),
    ("漢字です。", 8, ["漢字で", "す。"]),
    ("first\nsecond", 20, ["first", "second"]),
    ("a  b", 20, ["a b"]),
    ("no\u{A0}break here", 8, ["no\u{A0}break", "here"]),
    ("", 5, []),
  ])
  func `Prose is wrapped at spaces and between ideographs`(_ text: String, _ columns: Int, _ lines: [String])
  {
    let wrapper = TextWrapper(width: DisplayWidth(), columns: columns)
    let spans = [ProseBlock.Span(text: DisplayText(block: text), style: .plain)]
    #expect(wrapper.lines(of: spans).map { $0.map(\.text.string).joined() } == lines)
  }

  @Test func `Words keep their style across line breaks`() {
    let wrapper = TextWrapper(width: DisplayWidth(), columns: 6)
    let spans = [
      ProseBlock.Span(text: DisplayText("ab "), style: .plain),
      ProseBlock.Span(text: DisplayText("cd ef"), style: .strong),
    ]
    let lines = wrapper.lines(of: spans)
    #expect(lines.map { $0.map(\.text.string).joined() } == ["ab cd", "ef"])
    #expect(lines[0].last?.style == .strong && lines[1].first?.style == .strong)
  }

  @Test func `Colours and hyperlinks are written if the terminal supports them`() throws {
    var terminal = Terminal.plain(width: 60)
    terminal.usesColour = true
    terminal.usesHyperlinks = true
    let output = try ItemOutput(format: .text, terminal: terminal)
    var item = NewsItem.sample(1, "Title", isRead: false)
    item.url = "https://example.org/ä b\u{1B}\\"
    let content = NewsListPresenter(output.needs, times: output.shape.terminal.times).present(
      [ItemMatch(item: item)],
      first: 1,
      isLast: true
    )
    let text = try rendered(view(output, { NewsListView(terminal: $0) }), #require(content.content))
    #expect(
      text.contains(
        "\u{1B}]8;;https://example.org/%C3%A4%20b%1B\\\u{1B}\\\u{1B}[1mTitle\u{1B}[0m\u{1B}]8;;\u{1B}\\"
      )
    )
    item.url = "javascript:alert(1)"
    let other = NewsListPresenter(output.needs, times: output.shape.terminal.times).present(
      [ItemMatch(item: item)],
      first: 1,
      isLast: true
    )
    #expect(
      try !rendered(view(output, { NewsListView(terminal: $0) }), #require(other.content)).contains(
        "\u{1B}]8"
      )
    )
  }

  @Test(
    arguments: [
      (0, "now"), (59, "now"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_400, "1d"), (59 * 86_400, "59d"),
      (61 * 86_400, "2026-09-20"), (-30, "now"), (-86_400, "2026-11-21"),
    ] as [(Int64, String)]
  )
  func `Ages have one or two digits; older times are dates`(_ seconds: Int64, _ text: String) {
    #expect((Timestamp.noon - seconds).age(at: .noon, in: .utc) == text)
  }

  @Test func `Dates are shown in the given time zone`() {
    #expect(Timestamp.noon.dateAndTime(in: .fixed(5 * 3600 + 1800)) == "2026-11-20 17:30")
    #expect(Zone.fixed(-13 * 3600).format(.noon, "%F %R %z") == "2026-11-19 23:00 -1300")
    #expect(Zone.utc.format(.noon, "%Z") == "UTC")
    #expect(Zone.utc.format(.noon, "") == "")
    #expect(Zone.utc.format(.noon, String(repeating: "%A ", count: 100)).hasPrefix("Friday Friday"))
  }

  @Test(arguments: [
    ("titel", "title"), ("pubished", "published"), ("isread", "is_read"), ("TITLE", "title"), ("zzz", nil),
  ])
  func `The most similar name is suggested`(_ word: String, _ expected: String?) {
    let hint = NameHint.text(for: word, among: Tables.items.names)
    #expect(hint == (expected.map { ": did you mean '\($0)'?" } ?? ""))
  }
}

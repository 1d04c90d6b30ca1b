import NewsSearch
import NewsCore
import SeededRandom
import Testing

private let now = Timestamp(CivilTime(year: 2026, month: 11, day: 21, hour: 12))

/// A typed text, and the output of the query printer for it.
struct QueryCase: Sendable, CustomTestStringConvertible {
  var typed: String
  var canonical: String
  init(_ typed: String, _ canonical: String) {
    self.typed = typed
    self.canonical = canonical
  }
  var testDescription: String { typed }
}

@Suite struct `Query language` {
  @Test func `Words, phrases, prefixes and fields are parsed into a tree`() throws {
    let parsed = try QueryParser.parse(
      "apple \"green pie\" tart* -title:worm (tag:food OR is:starred) author:\"Ann Lee\" sort:relevance",
      now: now
    )
    #expect(parsed.order == .relevance)
    #expect(
      parsed.query
        == .and([
          .text(TextMatch(text: "apple")),
          .text(TextMatch(kind: .phrase, text: "green pie")),
          .text(TextMatch(kind: .prefix, text: "tart")),
          .not(.text(TextMatch(field: .title, text: "worm"))),
          .or([.tag("food"), .isStarred(true)]),
          .text(TextMatch(field: .author, kind: .phrase, text: "Ann Lee")),
        ])
    )
  }

  @Test(arguments: [
    QueryCase("", ""),
    QueryCase("   ", ""),
    QueryCase("apple", "apple"),
    QueryCase("apple pie", "apple pie"),
    QueryCase("a OR b c", "(a OR b c)"),
    QueryCase("(a OR b) c", "(a OR b) c"),
    QueryCase("a AND b", "a b"),
    QueryCase("a AND (b OR (c OR d))", "a (b OR c OR d)"),
    QueryCase("a NOT b", "a -b"),
    QueryCase("-(a b)", "-(a b)"),
    QueryCase("-(a OR b)", "-(a OR b)"),
    QueryCase("NOT -a", "a"),
    QueryCase("title:(a OR \"b c\")", "(title:a OR title:\"b c\")"),
    QueryCase("tag:(x OR y)", "(tag:x OR tag:y)"),
    QueryCase("“a b” „c d“ «e f»", "\"a b\" \"c d\" \"e f\""),
    QueryCase("\"a b\"*", "\"a b\"*"),
    QueryCase("folder:\"World News\" feed:heise", "folder:\"World News\" feed:heise"),
    QueryCase("url:example.org/x lang:de has:enclosure", "url:example.org/x lang:de has:enclosure"),
    QueryCase("is:unread is:read is:starred is:unstarred", "is:unread is:read is:starred is:unstarred"),
    QueryCase("Title:Apple IS:Unread", "title:Apple is:unread"),
    QueryCase("since:3d", "since:2026-11-18T12:00:00Z"),
    QueryCase("until:2026-01-01", "until:2026-01-01T00:00:00Z"),
    QueryCase("since:today until:12h", "since:2026-11-21T00:00:00Z until:2026-11-21T00:00:00Z"),
    QueryCase("sort:oldest", "sort:oldest"),
    QueryCase("apple SORT:Newest", "apple sort:newest"),
    QueryCase("/ap+le (pie|tart)/ x", "/ap+le (pie|tart)/ x"),
    QueryCase("title:/^re:/ author:/x y/", "title:/^re:/ author:/x y/"),
    QueryCase("title:(/a+/ b) url:/2026/", "title:/a+/ title:b url:\"/2026/\""),
    QueryCase("saved:\"my news\"", "saved:\"my news\""),
    // Malformed input is still a query
    QueryCase("OR", "\"OR\""),
    QueryCase("OR a", "\"OR\" a"),
    QueryCase("a OR", "a \"OR\""),
    QueryCase("AND NOT", "\"AND\" \"NOT\""),
    QueryCase("a -", "a"),
    QueryCase("a & b", "a b"),
    QueryCase("a + b", "a b"),
    QueryCase("a OR &", "a"),
    QueryCase("-- a", "a"),
    QueryCase("--(a OR b) c", "(a OR b) c"),
    QueryCase("--\"a b\" ---title:c --/x+/", "\"a b\" title:c /x+/"),
    QueryCase("-(--(a))", "-a"),
    QueryCase("--word --no:field --\"a", "\"--word\" \"--no:field\" \"\\\"a\""),
    QueryCase("-", "\"-\""),
    QueryCase("&", "&"),
    QueryCase("\"", "\"\\\"\""),
    QueryCase("\"apple pie", "\"\\\"apple\" pie"),
    QueryCase("apple\" pie", "\"apple\\\"\" pie"),
    QueryCase("(apple", "apple"),
    QueryCase("apple)", "\"apple)\""),
    QueryCase("f(x) :( a", "\"f(x)\" a"),
    QueryCase("(f(x) y)", "\"f(x)\" y"),
    QueryCase("()", "\"()\""),
    QueryCase("( ) a", "a"),
    QueryCase("C++ foo-bar AT&T 100% 😀 #tag @me", "C++ foo-bar AT&T 100% 😀 #tag @me"),
    QueryCase("http://example.org/x?a=b", "\"http://example.org/x?a=b\""),
    QueryCase("mailto:me@example.org", "\"mailto:me@example.org\""),
    QueryCase(
      "C:\\dir c:\\dir 12:30 re: Re: note:",
      "\"C:\\\\dir\" \"c:\\\\dir\" \"12:30\" \"re:\" \"Re:\" \"note:\""
    ),
    QueryCase(
      "localhost:8080 std::vector :smile: Überschrift:x",
      "\"localhost:8080\" \"std::vector\" \":smile:\" \"Überschrift:x\""
    ),
    QueryCase("title:", "\"title:\""),
    QueryCase("/etc/passwd", "\"/etc/passwd\""),
    QueryCase("a / b", "a b"),
    QueryCase("צה\"ל", "\"צה\\\"ל\""),
    QueryCase("it's 5\" *", "it's \"5\\\"\""),
    QueryCase("**", "\"*\"*"),
    QueryCase("a\0b \"c\0d\"", "a b \"c d\""),
  ])
  func `Typed text is printed in canonical form, and parsing that form gives the same query`(
    _ example: QueryCase
  ) throws {
    let parsed = try QueryParser.parse(example.typed, now: now)
    let printed = QueryPrinter.text(parsed.query, order: parsed.order)
    #expect(printed == example.canonical)
    let again = try QueryParser.parse(printed, now: now)
    #expect(QueryPrinter.text(again.query, order: again.order) == printed)
  }

  @Test(arguments: [
    ("titel:apple", QueryError.Code.unknownField, "title:"),
    ("site:example", .unknownField, "url:"),
    ("foo:bar", .unknownField, "\"foo:bar\""),
    ("-category:food", .unknownField, "tag:"),
    ("is:unred", .badValue, "is:unread"),
    ("has:picture", .badValue, "has: takes enclosure, not 'picture'."),
    ("is:foo", .badValue, "is: takes unread, read, starred or unstarred, not 'foo'."),
    ("sort:newst", .badValue, "sort:newest"),
    ("-sort:newest", .badValue, "negated"),
    ("since:tomorow", .badDate, "2026-11-20"),
    ("since:2026-02-30", .badDate, "2026-02-30"),
    ("/a(b/", .badRegex, ")"),
  ])
  func `An error names a mistake or a correction`(_ typed: String, _ code: QueryError.Code, _ hint: String) {
    let error = #expect(throws: QueryError.self) { try QueryParser.parse(typed, now: now) }
    #expect(error?.code == code)
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }

  @Test func `Queries that are too long, too deep or have too many terms are rejected as too complex`() {
    for typed in [
      String(repeating: "(", count: 5000) + "a", String(repeating: "a ", count: 600),
      String(repeating: "x", count: 9000), String(repeating: "-(", count: 2000),
    ] {
      let error = #expect(throws: QueryError.self) { try QueryParser.parse(typed, now: now) }
      #expect(error?.code == .tooComplex)
    }
  }

  @Test(arguments: 0..<30)
  func `Random text gives a query that prints and parses to itself, or an error message`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "OR", "AND", "NOT", "-", "(", ")", "\"", "*", "/", ":", "title:", "is:read", "since:3d",
      "sort:newest", "\\",
      " ", " ", " ", "“", "”", "中", "C++", "&", "x:", "tag:", "folder:", "é", "/a+/", "|", "saved:b",
    ]
    for _ in 0..<200 {
      let typed = (0..<Int(random.next() % 14)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        .joined()
      do {
        let parsed = try QueryParser.parse(typed, now: now)
        let printed = QueryPrinter.text(parsed.query, order: parsed.order)
        let again = try QueryParser.parse(printed, now: now)
        #expect(QueryPrinter.text(again.query, order: again.order) == printed, "\(typed)")
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }
}

@Suite struct `Parsing typed times` {
  @Test(arguments: [
    ("3d", "2026-11-18T12:00:00Z"), ("12h", "2026-11-21T00:00:00Z"), ("90s", "2026-11-21T11:58:30Z"),
    ("30m", "2026-11-21T11:30:00Z"), ("2w", "2026-11-07T12:00:00Z"), ("1y", "2025-11-21T12:00:00Z"),
    ("2026-11-20", "2026-11-20T00:00:00Z"), ("2026-02", "2026-02-01T00:00:00Z"),
    ("2026", "2026-01-01T00:00:00Z"),
    ("2024-02-29", "2024-02-29T00:00:00Z"), ("2026-11-20T08:15:00Z", "2026-11-20T08:15:00Z"),
    ("2026-11-20t08:15:30.25+02:00", "2026-11-20T06:15:30Z"), ("2026-11-20 08:15", "2026-11-20T08:15:00Z"),
    ("2026-11-20T08:15:00-0530", "2026-11-20T13:45:00Z"), ("now", "2026-11-21T12:00:00Z"),
    ("Today", "2026-11-21T00:00:00Z"), ("yesterday", "2026-11-20T00:00:00Z"),
  ])
  func `A valid time is parsed`(_ typed: String, _ expected: String) {
    #expect(TimeExpression.parse(typed, now: now)?.rfc3339 == expected)
  }

  @Test(arguments: [
    "", "d", "3", "3x", "-3d", "3 d", "2026-13-01", "2026-00-01", "2026-02-29", "2026-11-31", "26-11-20",
    "2026-1-2",
    "2026-11-20T25:00Z", "2026-11-20T08:15:00Zx", "2026-11-20T08", "99999999999d", "3dd", "٣d",
    "2026-11-20T08:15:00+2",
  ])
  func `An invalid time is nil`(_ typed: String) {
    #expect(TimeExpression.parse(typed, now: now) == nil)
  }
}

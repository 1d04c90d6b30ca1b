import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Template` {
  private func render(_ template: String, _ item: NewsItem) throws -> String {
    let output = try ItemOutput(format: .template, template: template, terminal: .plain())
    return try rendered(
      view(output, { NewsListView(terminal: $0) }),
      NewsListViewModel(items: [ItemMatch(item: item)])
    )
  }

  private var item: NewsItem {
    var item = NewsItem.sample(7, "It's <big> \"news\"\n\u{1B}[31m", hoursAgo: 3)
    item.tags = ["a", "b c"]
    item.authors = [Author(name: "Ada"), Author(name: "Bob")]
    return item
  }

  @Test(arguments: [
    ("{id}\\t{url}", "7\thttps://example.org/7"),
    ("{title}", "It's <big> \"news\" \u{FFFD}[31m"),
    ("{title|truncate:6}|", "It's …|"),
    ("{id|right:4}.{id|left:4}.", "   7.7   ."),
    ("{published|date:%F %R}", "2026-11-20 09:00"),
    ("{published|date:%s %%s}", "1795165200 %s"),
    ("{published|date}", "2026-11-20 09:00"),
    ("{published|age}", "3h"),
    ("{published}", "2026-11-20T09:00:00Z"),
    ("{updated|date:%F|default:never}", "never"),
    ("{tags|join:; }/{tags|first}/{authors|join: and }", "a; b c/a/Ada and Bob"),
    ("{tags|json} {id|json} {is_read|json} {updated|json}", "[\"a\",\"b c\"] 7 true null"),
    ("{title|json}", "\"It's <big> \\\"news\\\"\\n\\u001b[31m\""),
    ("{title|shell}", "'It'\\''s <big> \"news\" \u{FFFD}[31m'"),
    ("{title|html}", "It&#39;s &lt;big&gt; &quot;news&quot; \u{FFFD}[31m"),
    ("{title|markdown}", "It's \\<big\\> \"news\" \u{FFFD}\\[31m"),
    ("{title|lines|markdown}", "It's \\<big\\> \"news\"\n\u{FFFD}\\[31m"),
    ("{title|csv}", "\"It's <big> \"\"news\"\" \u{FFFD}[31m\""),
    ("{title|limit:6}|{title|limit:99}", "It's …|It's <big> \"news\" \u{FFFD}[31m"),
    ("{tags|limit:2|json} {title|limit:4|json}", "[\"a\",\"b…\"] \"It'…\""),
    (
      "{tags|json:name} {authors|json:a\\}b}",
      "[{\"name\":\"a\"},{\"name\":\"b c\"}] [{\"a}b\":\"Ada\"},{\"a}b\":\"Bob\"}]"
    ),
    ("{updated|json:x} {feed|upper|json:x}", "[] [{\"x\":\"EXAMPLE\"}]"),
    ("{title|truncate:7|url}", "It%27s%20%3C%E2%80%A6"),
    ("{title|lines}", "It's <big> \"news\"\n\u{FFFD}[31m"),
    ("{feed|upper}{feed|lower}", "EXAMPLEexample"),
    ("{?tags}T{:}none{/} {!language}no language{/}", "T no language"),
    ("{?updated}x{/}{?url}{?tags}both{/}{/}", "both"),
    ("a\\{b\\}c\\\\", "a{b}c\\"),
    ("{tags|join:\\}\\n}", "a}\nb c"),
    ("x\\n", "x"),
  ])
  func `A template formats an item`(_ template: String, _ expected: String) throws {
    #expect(try render(template, item) == expected + "\n")
  }

  /// A character outside the first 65,536 counts as two, and a combining mark has no width but counts.
  @Test(arguments: [
    ("日本語新聞", 4, "日本語…"), ("日本語新聞", 5, "日本語新聞"), ("🗞🗞🗞", 4, "🗞…"), ("🗞🗞🗞", 5, "🗞🗞…"), ("🗞🗞🗞", 6, "🗞🗞🗞"),
    ("e\u{301}\u{301}\u{301}", 3, "e\u{301}…"), ("🗞", 1, "…"),
  ])
  func `The filter 'limit' counts characters as services do`(
    _ title: String,
    _ limit: Int,
    _ expected: String
  ) throws {
    var item = NewsItem.sample(7, "", hoursAgo: 3)
    item.title = title
    #expect(try render("{title|limit:\(limit)}", item) == expected + "\n")
  }

  @Test(arguments: [
    ("{titel}", "column 2: unknown field 'titel': did you mean 'title'?"),
    ("ab {title|trunkate:3}", "column 11: unknown filter 'trunkate': did you mean 'truncate'?"),
    ("{title|truncate}", "column 8: 'truncate' needs a number"),
    ("{title|truncate:0}", "column 8"),
    ("{title|limit}", "column 8: 'limit' needs a number of characters"),
    ("{title|date:%F}", "column 8: the filter 'date' needs a date, and 'title' is not one"),
    ("{title|html|upper}", "column 13: no filter can follow"),
    ("{title|html:x}", "takes no argument"),
    ("ab{title", "column 3: the brace is not closed"),
    ("{title{id}}", "column 7: a '{' within braces"),
    ("a}b", "column 2: a '}'"),
    ("a\\x", "column 2: unknown '\\x'"),
    ("a\\", "column 2: nothing follows"),
    ("{?title}x", "column 1: the condition is not closed"),
    ("x{/}", "column 2: {/} closes no condition"),
    ("{:}", "column 1: {:} outside"),
    ("{?title}{:}{:}{/}", "column 12: {:} outside"),
    ("one\ntwo {x}", "line 2, column 6"),
    ("{}", "column 2: unknown field"),
  ])
  func `A syntax error is reported with its column`(_ template: String, _ message: String) throws {
    let error = try #require(throws: UserMessage.self) { try render(template, item) }
    #expect(error.code == .usage)
    #expect(error.text.contains(message), "\(error.text)")
  }

  @Test func `Only the parts that a template shows are read from the store`() throws {
    let output = try ItemOutput(format: .template, template: "{?content_html}{tags}{/}", terminal: .plain())
    #expect(output.parts == [.contentHTML, .details])
  }

  @Test func `A template formats a feed`() throws {
    let shape = OutputShape(
      format: .template,
      template: "{position}. {title} {unread}",
      terminal: .plain()
    )
    let feed = Feed(
      id: Feed.ID(rawValue: 1),
      url: "https://example.org",
      title: "F",
      position: 2,
      unreadCount: 3
    )
    let text = try rendered(
      shape.feedView(text: SubscriptionsView(terminal: shape.terminal)),
      SubscriptionsViewModel(feeds: [feed])
    )
    #expect(text == "2. F 3\n")
  }
}

import Glibc
import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Publishing items` {
  private func text(_ format: OutputFormat, _ item: NewsItem, template: String? = nil) throws -> String {
    let output = try ItemOutput(format: format, template: template, terminal: .plain())
    return String(decoding: try output.line(of: item), as: UTF8.self)
  }

  @Test(arguments: [OutputFormat.html, .sfeed, .atom, .rss])
  func `Control characters of an item's HTML do not reach a document`(_ format: OutputFormat) throws {
    var item = NewsItem.sample(1, "T")
    item.contentHTML = "<p>a\u{1B}[31m\u{8}\u{7F}\u{9B}b\u{202E}c\u{2066}\u{FFFE}d</p>"
    let text = try text(format, item)
    for scalar in text.unicodeScalars {
      let isControl =
        scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7F...0x9F).contains(scalar.value)
      #expect(!isControl && !"\u{202E}\u{2066}\u{FFFE}".unicodeScalars.contains(scalar), "\(scalar.value)")
    }
  }

  @Test func `A template condition on a flag tests whether it is set`() throws {
    var item = NewsItem.sample(1, "T", isRead: false)
    let template = "{?is_read}R{:}U{/}{!is_starred}-{/}"
    #expect(try text(.template, item, template: template) == "U-\n")
    item.isRead = true
    item.isStarred = true
    #expect(try text(.template, item, template: template) == "R\n")
  }

  @Test(arguments: [
    ("http://x.example/%zz", "http://x.example/%25zz"), ("http://x.example/%2", "http://x.example/%252"),
    ("http://x.example/[a]", "http://x.example/%5Ba%5D"), ("http://x/#a#b", "http://x/#a%23b"),
    ("http://[::1]:80/[", "http://[::1]:80/%5B"), ("http://x.example/%41#f", "http://x.example/%41#f"),
    ("ingest:50% [x]", "ingest:50%25%20%5Bx%5D"),
  ])
  func `An invalid URL is percent-encoded to a valid one`(_ given: String, _ url: String) {
    #expect(ProtocolText.url(given) == url)
  }

  @Test(arguments: ["tag:x,2020:[1]", "http://x/#a#b", "mailto:", "x", "a:b c"])
  func `A guid that is not an IRI is replaced by a derived URN`(_ guid: String) {
    var item = NewsItem.sample(1, "T")
    item.guid = guid
    #expect(StableID.iri(of: item).hasPrefix("urn:uuid:"))
  }

  @Test(arguments: ["", "x", "https://x.example/same"])
  func `Items with the same guid have different stable ids`(_ guid: String) throws {
    var items = [NewsItem.sample(1, "A"), NewsItem.sample(2, "B")]
    for (index, name) in ["urn:newsd:1", "urn:newsd:2"].enumerated() {
      items[index].guid = guid
      items[index].derivedID = name
    }
    #expect(StableID(items[0]) != StableID(items[1]))
    #expect(StableID.iri(of: items[0]) != StableID.iri(of: items[1]))
    #expect(StableID.iri(of: items[0]).hasPrefix("urn:uuid:"))
  }

  @Test func `Lists with different queries have different ids; a filter by time does not change the id`()
    throws
  {
    let all = RouteTitle(filter: ItemFilter())
    #expect(all == RouteTitle(filter: ItemFilter(since: Timestamp(seconds: 5))))
    #expect(all.title == "newsd")
    let red = RouteTitle(text: "red", filter: ItemFilter())
    let feed = RouteTitle(
      filter: ItemFilter(feeds: ["https://x.example/"], isStarred: true),
      feedTitles: ["X"]
    )
    #expect(feed.title == "X · starred")
    #expect(Set([all, red, feed, RouteTitle(filter: ItemFilter(feeds: ["red"]))].map(\.identity)).count == 4)
    func id(_ title: RouteTitle) throws -> String {
      let document = OutputDocument(title: title.title, identity: title.identity, time: Timestamp(seconds: 0))
      let output = try ItemOutput(format: .atom, document: document, terminal: .plain())
      let text = String(decoding: try output.line(of: .sample(1, "T")), as: UTF8.self)
      return text.split(separator: "\n").first { $0.hasPrefix("<id>") }.map(String.init) ?? ""
    }
    #expect(try id(red) != id(feed))
  }

  @Test(arguments: [
    ("1", "1"), ("1234", "1,234"), ("123", "123"), ("1234567", "1,234,567"),
  ])
  func `Digits of counts are grouped with the given separator and group sizes`(
    _ digits: String,
    _ text: String
  ) {
    #expect(CountText.grouped(digits, separator: ",", sizes: [3]) == text)
    #expect(CountText.grouped(digits, separator: "", sizes: [3]) == digits)
  }

  @Test func `The last group of digits may have another size than the groups before it`() {
    #expect(CountText.grouped("123456789", separator: ",", sizes: [3, 2]) == "12,34,56,789")
  }

  @Test func `The columns of a list without pages have fixed widths`() throws {
    let output = try ItemOutput(format: .text, terminal: .plain(width: 80))
    let writer = FakeOutput()
    let screen = Screen<NewsListViewModel>(
      view: view(output, { NewsListView(terminal: $0) }),
      output: writer,
      messages: writer
    )
    let presenter = NewsListPresenter(output.needs, times: output.shape.terminal.times)
    var long = NewsItem.sample(1_234_567, "Second", hoursAgo: 24 * 400)
    long.feedTitle = "A feed with a title that is long"
    for (items, first) in [([NewsItem.sample(1, "First")], 1), ([long], 2)] {
      let matches = items.map { ItemMatch(item: $0) }
      try screen.show(presenter.present(matches, first: first, isLast: false))
    }
    try screen.show(presenter.present([], first: 3, isLast: true))
    let lines = writer.text.split(separator: "\n")
    let places = zip(lines, ["First", "Second"]).map { line, title in
      line.firstRange(of: title).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(places.count == 2 && places[0] == places[1] && places[0] != nil, "\(writer.text)")
  }

  @Test func `A Maildir is created with its parent folders, and saves the delivered ids when it is finished`()
    throws
  {
    let root = "/tmp/newsd-maildir-\(UInt64.random(in: 0 ... .max))"
    defer { for part in ["/a/b/new", "/a/b/cur", "/a/b/tmp", "/a/b", "/a", ""] { rmdir(root + part) } }
    let directory = try Maildir(path: root + "/a/b")
    let time = Timestamp(seconds: 1_795_000_000)
    let id = String(repeating: "a", count: 32)
    try directory.deliver(Array("x\n".utf8), id: id, time: time, isSeen: false, isFlagged: false)
    #expect(try !Maildir(path: root + "/a/b").hasDelivered(id))
    try directory.finish()
    #expect(try Maildir(path: root + "/a/b").hasDelivered(id))
    unlink(root + "/a/b/new/\(time.seconds).newsd-\(id).localhost")
    unlink(root + "/a/b/.newsd-delivered")
  }
}

public import NewsCore

/// One item: typed for programs, as a page for people.
public struct NewsItemViewModel: ItemContent {
  public var items: [ItemMatch]
  /// Nil for formats that make no use of it.
  public var page: NewsItemPage?
}

/// An item as a page of text.
public struct NewsItemPage: Hashable, Sendable {
  /// A line of the page's head.
  public struct Fact: Hashable, Sendable {
    public var name: DisplayText
    public var value: DisplayText
    public var url: String?
  }

  public var title: DisplayText
  public var url: String?
  public var facts: [Fact]
  public var body: [ProseBlock]
  /// Targets of the footnotes in `body`, numbered from 1.
  public var links: [DisplayText]
  /// To the list of the item's feed.
  public var back: Route
  /// How to get there from the command line.
  public var backText: DisplayText
}

/// Turns an item into its page.
public struct NewsItemPresenter: Sendable {
  let showsText: Bool
  private let terminal: Terminal
  private let router = NewsItemRouter()

  public init(output: ItemOutput) {
    showsText = output.format == .text
    terminal = output.terminal
  }

  func present(_ item: NewsItem, body: RichText?) -> NewsItemViewModel {
    NewsItemViewModel(items: [ItemMatch(item: item)], page: showsText ? page(item, body) : nil)
  }

  private func page(_ item: NewsItem, _ body: RichText?) -> NewsItemPage {
    let title = DisplayText(line: item.title).trimmed
    return NewsItemPage(
      title: title.isEmpty ? DisplayText("(untitled)") : title,
      url: item.url,
      facts: facts(item),
      body: blocks(item, body),
      links: body?.links.map { DisplayText(line: $0) } ?? [],
      back: router.list(of: item),
      backText: DisplayText(line: "newsd list --feed \(item.feedID.rawValue)")
    )
  }

  private func blocks(_ item: NewsItem, _ body: RichText?) -> [ProseBlock] {
    if let body, !body.blocks.isEmpty { return ProseBlock.blocks(of: body) }
    let text = item.contentText.isEmpty ? item.summary ?? "" : item.contentText
    return ProseBlock.blocks(ofPlain: text)
  }

  private func facts(_ item: NewsItem) -> [NewsItemPage.Fact] {
    var facts: [NewsItemPage.Fact] = []
    func add(_ name: StaticString, _ value: String, url: String? = nil) {
      guard !value.isEmpty else { return }
      facts.append(.init(name: DisplayText(name), value: DisplayText(line: value), url: url))
    }
    add("Feed", item.feedTitle.isEmpty ? item.feedURL : item.feedTitle)
    add("By", item.authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", "))
    let published = item.published ?? item.stored
    add("Date", date(published))
    if let updated = item.updated, updated != published { add("Updated", date(updated)) }
    add("Tags", item.tags.joined(separator: ", "))
    add("Link", item.url ?? "", url: item.url)
    add("Comments", item.commentsURL ?? "", url: item.commentsURL)
    for enclosure in item.enclosures { add("File", text(enclosure), url: enclosure.url) }
    let marks = [item.isRead ? "read" : "unread"] + (item.isStarred ? ["starred"] : [])
    add("Item", "\(item.id.rawValue), \(marks.joined(separator: ", "))")
    return facts
  }

  private func date(_ time: Timestamp) -> String {
    let age = time.age(at: terminal.now, in: terminal.zone)
    let isDate = age.contains("-")
    return terminal.zone.format(time, "%a %d %b %Y %H:%M %Z")
      + (isDate || age == "now" ? "" : " (\(age) ago)")
  }

  private func text(_ enclosure: Enclosure) -> String {
    var notes: [String] = []
    if let type = enclosure.mimeType { notes.append(type) }
    if let size = enclosure.size, size > 0 { notes.append(ByteCountText.text(size)) }
    if let duration = enclosure.duration, duration > 0 { notes.append(Self.duration(duration)) }
    let title = enclosure.title.map { "\($0): " } ?? ""
    return title + enclosure.url + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }

  private static func duration(_ seconds: Int64) -> String {
    func pad(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
    let rest = "\(pad(seconds / 60 % 60)):\(pad(seconds % 60))"
    return seconds >= 3600 ? "\(seconds / 3600):\(rest)" : rest
  }
}

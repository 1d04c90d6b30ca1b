public import Modules
import NewsCore
public import NewsToolbox

/// Items of a list as text: a line for each, then the footer of the page.
public struct NewsListView: ContentView {
  enum Columns: Hashable, Sendable {
    /// Widths fitted to the lines that are shown together.
    case fitted
    /// Fixed widths, for streams.
    case steady
    /// Fixed widths and line numbers, for long lists.
    case listed
  }

  private let terminal: Terminal
  private let footer: ListFooter?
  private var width: DisplayWidth { DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide) }

  /// `footer` is the line below a page; nil: none.
  public init(terminal: Terminal, footer: ListFooter? = ListFooter()) {
    self.terminal = terminal
    self.footer = footer
  }

  public func render(_ content: NewsListViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    render(content, isCounted: true, &buffer)
  }

  /// With `isCounted`, the footer has the number of all items.
  func render(_ content: NewsListViewModel, isCounted: Bool, _ buffer: inout ByteBuffer) {
    render(content.lines, content.page == nil ? .listed : .fitted, into: &buffer)
    guard let page = content.page, let footer else { return }
    render(footer, page, isCounted: isCounted, after: content.lines.last?.id, into: &buffer)
  }

  func render(_ lines: [HeadlineLine], _ columns: Columns, into buffer: inout ByteBuffer) {
    let layout = Layout(lines, columns, terminal: terminal, width: width)
    for line in lines { render(line, layout, &buffer) }
  }

  /// Renders the footer: `Page 1 of 3 · 52 items`, and the command that shows the next page.
  private func render(
    _ footer: ListFooter,
    _ page: PageInfo,
    isCounted: Bool,
    after last: NewsItem.ID?,
    into buffer: inout ByteBuffer
  ) {
    guard page.total > 0, last != nil else { return }
    var text = "\(page.isContinued ? "The rest, page" : "Page") \(CountText.of(page.number))"
    if isCounted {
      text +=
        " of \(CountText.of(page.pageCount)) · \(CountText.of(page.total)) \(Plural.word(page.total, "item"))"
    } else {
      text += " · more than \(CountText.of(page.total)) items"
    }
    if !isCounted || page.number < page.pageCount {
      let next = page.isByTime ? last.map(footer.command(after:)) : nil
      text += " · next: \((next ?? footer.command(page: page.number + 1)).string)"
    }
    buffer.paint(safe: text, .faint, on: terminal)
    buffer.newLine()
  }

  /// Widths of the columns, from their content and the width of the terminal.
  private struct Layout {
    var ordinal = 0
    var id = 0
    var time = 0
    var feed = 0
    /// Maximum width of the title; nil: no limit.
    var title: Int?

    init(_ lines: [HeadlineLine], _ style: Columns, terminal: Terminal, width: DisplayWidth) {
      for line in lines {
        ordinal = max(ordinal, String(line.ordinal).utf8.count)
        id = max(id, String(line.id.rawValue).utf8.count)
        time = max(time, width.columns(line.time.string))
        feed = max(feed, width.columns(line.feed.string))
      }
      if style != .fitted {
        ordinal = style == .steady ? 0 : max(ordinal, 5)
        id = max(id, 7)
        feed = 20
        // No age is wider than a date.
        if style == .listed { time = max(time, 10) }
      }
      guard let columns = terminal.width else {
        feed = min(feed, 30)
        return
      }
      // On a narrow terminal, omit columns to leave room for the title.
      if columns < 60 { ordinal = 0 }
      feed = columns < 48 ? 0 : min(feed, max(8, columns / 5))
      let marks = width.columns("●★")
      let before = [ordinal, marks, id, time, feed].reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) }
      title = max(columns - before, 10)
    }
  }

  private func render(_ line: HeadlineLine, _ layout: Layout, _ buffer: inout ByteBuffer) {
    if layout.ordinal > 0 {
      right(String(line.ordinal), layout.ordinal, .faint, &buffer)
    }
    mark("●", line.isUnread, .unread, &buffer)
    mark("★", line.isStarred, .starred, &buffer)
    buffer.spaces(1)
    right(String(line.id.rawValue), layout.id, .faint, &buffer)
    right(line.time.string, layout.time, .date, &buffer)
    if layout.feed > 0 {
      let (text, columns) = width.fit(line.feed.string, into: layout.feed)
      buffer.paint(safe: DisplayText(unchecked: text).isolated, .feed, on: terminal)
      buffer.spaces(layout.feed - columns + 1)
    }
    let suffix = width.fit(line.suffix, into: layout.title.map { max($0 / 3, 6) } ?? .max)
    buffer.link(line.url, on: terminal) { buffer in
      let room = layout.title.map { $0 - suffix.columns }
      runs(line.title, into: room, line.isUnread ? .unread : .plain, &buffer)
    }
    if suffix.columns > 0 { buffer.paint(safe: suffix.text, .faint, on: terminal) }
    buffer.newLine()
    guard !line.excerpt.isEmpty else { return }
    let indent = 4
    buffer.spaces(indent)
    runs(line.excerpt, into: terminal.width.map { max($0 - indent, 10) }, .faint, &buffer)
    buffer.newLine()
  }

  /// Renders a mark, or spaces of the same width: two columns if characters of ambiguous width are wide.
  private func mark(_ mark: StaticString, _ isSet: Bool, _ style: TextStyle, _ buffer: inout ByteBuffer) {
    if isSet {
      buffer.paint(literal: mark, style, on: terminal)
    } else {
      buffer.spaces(width.columns(mark.description))
    }
  }

  private func right(_ text: String, _ columns: Int, _ style: TextStyle, _ buffer: inout ByteBuffer) {
    buffer.spaces(columns - width.columns(text))
    buffer.paint(safe: text, style, on: terminal)
    buffer.spaces(1)
  }

  private func runs(_ runs: [DisplayRun], into limit: Int?, _ style: TextStyle, _ buffer: inout ByteBuffer) {
    let isRightToLeft = runs.contains { $0.text.isRightToLeft }
    if isRightToLeft { buffer.append(literal: "\u{2068}") }
    var left = limit ?? .max
    for run in runs where left > 0 {
      let (text, columns) = limit == nil ? (run.text.string, 0) : width.fit(run.text.string, into: left)
      buffer.paint(safe: text, run.isMatch ? .match : style, on: terminal)
      left -= columns
      // A truncated run ends the line.
      if text != run.text.string { break }
    }
    if isRightToLeft { buffer.append(literal: "\u{2069}") }
  }
}

public import Modules
import NewsCore
public import NewsToolbox

/// An item as text: a header, the wrapped body, footnotes, and the command that lists the feed.
public struct NewsItemView: ContentView {
  private let terminal: Terminal
  private var hasShown = false

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public mutating func render(_ content: NewsItemViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    guard let page = content.page else { return }
    if hasShown { buffer.newLine() }
    hasShown = true
    render(page, &buffer)
  }

  private func render(_ page: NewsItemPage, _ buffer: inout ByteBuffer) {
    let prose = ProseView(terminal: terminal)
    buffer.link(page.url, on: terminal) { buffer in
      prose.render([ProseBlock(spans: [.init(text: page.title, style: .heading)])], into: &buffer)
    }
    let nameWidth = page.facts.map { $0.name.string.count }.max() ?? 0
    for fact in page.facts { render(fact, indent: nameWidth + 2, &buffer) }
    let body = page.body.map(ProseBlock.blocks(of:)) ?? ProseBlock.blocks(ofPlain: page.plainBody)
    if !body.isEmpty {
      buffer.newLine()
      prose.render(body, into: &buffer)
    }
    if !page.links.isEmpty {
      buffer.newLine()
      for (index, link) in page.links.enumerated() {
        buffer.paint(safe: "[\(index + 1)] ", .faint, on: terminal)
        buffer.link(link.string, on: terminal) { $0.paint(link, .link, on: terminal) }
        buffer.newLine()
      }
    }
    buffer.newLine()
    buffer.paint(literal: "More of this feed: ", .faint, on: terminal)
    buffer.paint(safe: "newsd list --feed \(page.feedID.rawValue)", .faint, on: terminal)
    buffer.newLine()
  }

  /// Renders a name and its value, whose lines are aligned. URLs are not wrapped, so that they can be clicked and
  /// copied.
  private func render(_ fact: NewsItemPage.Fact, indent: Int, _ buffer: inout ByteBuffer) {
    buffer.paint(fact.name, .faint, on: terminal)
    buffer.spaces(indent - fact.name.string.count)
    if let number = fact.number { buffer.paint(safe: "[\(number)] ", .faint, on: terminal) }
    guard fact.url == nil else {
      buffer.link(fact.url, on: terminal) { $0.paint(safe: fact.value.isolated, .link, on: terminal) }
      buffer.newLine()
      return
    }
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    let wrapper = TextWrapper(width: width, columns: (terminal.width ?? .max) - indent)
    for (index, line) in wrapper.lines(of: [.init(text: fact.value, style: .plain)]).enumerated() {
      if index > 0 { buffer.spaces(indent) }
      for span in line { buffer.append(span.text.isolated) }
      buffer.newLine()
    }
  }
}

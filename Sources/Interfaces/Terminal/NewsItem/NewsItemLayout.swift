import Modules
import NewsText

/// An item's page as lines that fit a width.
struct NewsItemLayout: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    var spans: [ProseBlock.Span]
    /// True if the line belongs to a right-to-left paragraph.
    var isRightToLeft = false
  }

  var lines: [Line] = []

  /// `measure` is the maximum number of columns of running text.
  init(_ page: NewsItemPage, columns: Int, measure: Int, terminal: Terminal) {
    var terminal = terminal
    terminal.width = max(min(columns, measure), 1)
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    let prose = ProseView(terminal: terminal)
    append(prose, [ProseBlock(spans: [.init(text: page.title, style: .heading)])])
    let indent = (page.facts.map { width.columns($0.name.string) }.max() ?? 0) + 2
    for fact in page.facts { append(fact, indent: indent, width, columns) }
    lines.append(Line(spans: []))
    let blocks = page.body.map(ProseBlock.blocks(of:)) ?? ProseBlock.blocks(ofPlain: page.plainBody)
    append(prose, blocks)
    if !page.links.isEmpty { lines.append(Line(spans: [])) }
    for (index, link) in page.links.enumerated() {
      let number = DisplayText(unchecked: "[\(index + 1)] ")
      lines.append(Line(spans: [.init(text: number, style: .faint), .init(text: link, style: .link)]))
    }
    lines = lines.flatMap { Self.broken($0, columns: columns, width) }
  }

  init() {}

  private mutating func append(_ prose: ProseView, _ blocks: [ProseBlock]) {
    lines += prose.directedLines(of: blocks).map { Line(spans: $0.spans, isRightToLeft: $0.isRightToLeft) }
  }

  private mutating func append(_ fact: NewsItemPage.Fact, indent: Int, _ width: DisplayWidth, _ columns: Int)
  {
    let style: TextStyle = fact.url == nil ? .plain : .link
    let wrapper = TextWrapper(width: width, columns: max(columns - indent, 10))
    let wrapped =
      fact.url == nil
      ? wrapper.lines(of: [.init(text: fact.value, style: style)]) : [[.init(text: fact.value, style: style)]]
    for (index, line) in wrapped.enumerated() {
      let name = index == 0 ? fact.name.string : ""
      let number = fact.number.map { "[\($0)] " } ?? ""
      let gap = String(repeating: " ", count: max(indent - width.columns(name), 0))
      let value = line.map {
        ProseBlock.Span(text: DisplayText(unchecked: $0.text.isolated), style: $0.style)
      }
      lines.append(
        Line(spans: [.init(text: DisplayText(unchecked: name + gap + number), style: .faint)] + value)
      )
    }
  }

  /// Breaks a line that is wider than the screen, such as code or an address, at any character.
  private static func broken(
    _ line: Line,
    columns: Int,
    _ width: DisplayWidth
  ) -> [Line] {
    let total = line.spans.reduce(0) { $0 + width.columns($1.text.string) }
    guard total > columns, columns > 1 else { return [line] }
    var lines = [Line(spans: [], isRightToLeft: line.isRightToLeft)]
    var used = 0
    for span in line.spans {
      var text = ""
      for cluster in span.text.string {
        let next = width.columns(cluster)
        if used + next > columns {
          if !text.isEmpty {
            lines[lines.count - 1].spans.append(.init(text: DisplayText(unchecked: text), style: span.style))
          }
          lines.append(Line(spans: [], isRightToLeft: line.isRightToLeft))
          text = ""
          used = 0
        }
        text.append(cluster)
        used += next
      }
      if !text.isEmpty {
        lines[lines.count - 1].spans.append(.init(text: DisplayText(unchecked: text), style: span.style))
      }
    }
    return lines
  }
}

public import Modules
public import NewsCore

/// A block of running text, ready for wrapping and display.
public struct ProseBlock: Hashable, Sendable {
  public struct Span: Hashable, Sendable {
    public var text: DisplayText
    public var style: TextStyle

    public init(text: DisplayText, style: TextStyle) {
      self.text = text
      self.style = style
    }
  }

  enum Kind: Hashable, Sendable {
    case text, preformatted, rule
    /// A table laid out in aligned columns; `cells` contains its finished lines.
    case columns
  }

  var kind = Kind.text
  public var spans: [Span] = []
  /// Indentation of every line, in columns.
  var indent = 0
  /// Text before the first line, such as `• ` or `│ `.
  var marker = DisplayText("")
  /// True: print the marker on every line.
  var repeatsMarker = false
  /// True: empty lines separate the block from the blocks before and after it.
  var isApart = true
  /// The cells of a table row; `spans` contains them too. For `.columns`: the finished lines of the table.
  var cells: [[Span]] = []
  /// True if the row is the table's header.
  var isHeader = false

  init(
    kind: Kind = .text,
    spans: [Span] = [],
    indent: Int = 0,
    marker: DisplayText = DisplayText(""),
    repeatsMarker: Bool = false,
    isApart: Bool = true
  ) {
    self.kind = kind
    self.spans = spans
    self.indent = indent
    self.marker = marker
    self.repeatsMarker = repeatsMarker
    self.isApart = isApart
  }
}

extension ProseBlock {
  /// True if the first letter belongs to a right-to-left script; false for code.
  var isRightToLeft: Bool {
    guard kind == .text, spans.contains(where: \.text.isRightToLeft) else { return false }
    for span in spans {
      for scalar in span.text.string.unicodeScalars {
        if DisplayText(unchecked: String(scalar)).isRightToLeft { return true }
        if scalar.properties.isAlphabetic { return false }
      }
    }
    return false
  }

  /// The separator between the cells of a row.
  static let cellSeparator = Span(text: DisplayText(" │ "), style: .faint)

  /// A paragraph.
  package init(spans: [Span]) {
    self.init(kind: .text, spans: spans)
  }

  /// Converts `text` to blocks, with the text cleaned for display.
  public static func blocks(of text: RichText) -> [ProseBlock] {
    text.blocks.map(ProseBlock.init)
  }

  /// Splits plain text into a block for each paragraph. Keeps single line breaks.
  public static func blocks(ofPlain text: DisplayText) -> [ProseBlock] {
    let lines = text.string.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }).map { paragraph in
      ProseBlock(spans: [Span(text: DisplayText(unchecked: paragraph.joined(separator: "\n")), style: .plain)]
      )
    }
  }

  private init(_ block: RichText.Block) {
    switch block {
    case .paragraph(let spans, let indent):
      self.init(spans: spans.flatMap(Self.spans), indent: 2 * Self.depth(indent))
    case .heading(let spans, _):
      let text = spans.flatMap(Self.spans).map { Span(text: $0.text, style: .heading) }
      self.init(spans: text)
    case .listItem(let spans, let marker, let indent):
      self.init(
        spans: spans.flatMap(Self.spans),
        indent: 2 * Self.depth(indent),
        marker: DisplayText(line: marker) + DisplayText(" "),
        isApart: false
      )
    case .preformatted(let text, let indent):
      self.init(
        kind: .preformatted,
        spans: [Span(text: DisplayText(block: text), style: .code)],
        indent: 2 * Self.depth(indent) + 2
      )
    case .quotation(let spans, let indent):
      self.init(
        spans: spans.flatMap(Self.spans),
        indent: 2 * Self.depth(indent - 1),
        marker: DisplayText("│ "),
        repeatsMarker: true
      )
    case .tableRow(let row, let isHeader):
      let cells = row.map { cell in
        cell.flatMap(Self.spans).map { isHeader ? Span(text: $0.text, style: .heading) : $0 }
      }
      self.init(spans: Array(cells.joined(separator: [Self.cellSeparator])), isApart: isHeader)
      self.cells = cells
      self.isHeader = isHeader
    case .rule:
      self.init(kind: .rule)
    }
  }

  /// Limits the indentation of deeply nested text, so that there is room for words.
  private static func depth(_ indent: Int) -> Int { min(max(indent, 0), 8) }

  private static func spans(_ span: RichText.Span) -> [Span] {
    let style: TextStyle =
      if span.style.contains(.code) {
        .code
      } else if span.style.contains(.link) {
        .link
      } else if span.style.contains(.strong) {
        .strong
      } else if span.style.contains(.emphasis) {
        .emphasis
      } else if span.style.contains(.struck) {
        .struck
      } else if span.style.contains(.image) {
        .faint
      } else {
        .plain
      }
    let words = span.style.contains(.image) ? "[image: \(span.text)]" : span.text
    let text = Span(text: DisplayText(block: words), style: style)
    // A picture within a link has two numbers, unless it links to itself.
    let link = span.footnote == span.picture ? nil : span.footnote
    let numbers = [span.picture, link].compactMap { $0 }
    return [text] + numbers.map { Span(text: DisplayText(unchecked: "[\($0)]"), style: .faint) }
  }
}

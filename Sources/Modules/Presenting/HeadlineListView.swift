/// A list of headlines as a view model: typed items for programs, lines for people, a page where there are pages.
public protocol HeadlineContent: ItemContent {
  /// Empty for formats that make no use of it.
  var lines: [HeadlineLine] { get }
  /// Nil: without pages; this follows what came before.
  var page: PageInfo? { get }
}

/// Headlines in the format asked for: what lists and searches show.
public struct HeadlineListView<Content: HeadlineContent>: ContentView {
  private let terminal: Terminal
  private let footer: ListFooter?
  private var document: ItemDocumentView?

  public init(output: ItemOutput) {
    terminal = output.terminal
    footer = output.footer
    document = output.makeEncoder().map(ItemDocumentView.init)
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.end(&buffer) }

  public mutating func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer)
    throws(OutputError)
  {
    guard document == nil else {
      try document?.render(content.items, &buffer)
      return
    }
    let columns: HeadlineTextView.Columns = content.page == nil ? .listed : .fitted
    let text = HeadlineTextView(terminal: terminal, columns: columns)
    text.render(content.lines, into: &buffer)
    if let page = content.page, let footer { text.render(footer, page, into: &buffer) }
  }
}

/// A list in the format asked for.
public struct NewsListView: ContentView {
  private let text: HeadlineTextView
  private var document: ItemDocumentView?

  public init(output: ItemOutput) {
    text = HeadlineTextView(terminal: output.terminal)
    document = output.makeEncoder().map(ItemDocumentView.init)
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.end(&buffer) }

  public mutating func render(_ content: NewsListViewModel, isLast: Bool, _ buffer: inout ByteBuffer)
    throws(OutputError)
  {
    guard document == nil else {
      try document?.render(content.items, &buffer)
      return
    }
    text.render(content.lines, into: &buffer)
    if let page = content.page { text.renderFooter(page, into: &buffer) }
  }
}

/// A stream of items in the format asked for.
public struct FollowView: ContentView {
  private var terminal: Terminal
  private let width: @Sendable () -> Int?
  private var document: ItemDocumentView?

  /// - Parameters:
  ///   - output: How items are printed.
  ///   - width: The terminal's columns now: asked before every piece, because windows are resized. Nil: as at the start.
  public init(output: ItemOutput, width: (@Sendable () -> Int?)? = nil) {
    let terminal = output.terminal
    self.terminal = terminal
    self.width = width ?? { terminal.width }
    document = output.makeEncoder().map(ItemDocumentView.init)
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try document?.end(&buffer) }

  public mutating func render(
    _ content: FollowViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    guard document == nil else {
      try document?.render(content.items, &buffer)
      return
    }
    terminal.width = width()
    HeadlineTextView(terminal: terminal, columns: .steady).render(content.lines, into: &buffer)
  }
}

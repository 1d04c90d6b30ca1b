public import Modules
public import NewsToolbox

/// A stream of items as text, a line for each.
public struct FollowView: ContentView {
  private var terminal: Terminal
  private let width: @Sendable () -> Int?

  /// - Parameters:
  ///   - terminal: What text is made for.
  ///   - width: The terminal's columns now: asked before every piece, because windows are resized. Nil: as at the start.
  public init(terminal: Terminal, width: (@Sendable () -> Int?)? = nil) {
    self.terminal = terminal
    self.width = width ?? { terminal.width }
  }

  public mutating func render(_ content: FollowViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    terminal.width = width()
    HeadlineTextView(terminal: terminal, columns: .steady).render(content.lines, into: &buffer)
  }
}

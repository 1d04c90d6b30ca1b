public import Modules
public import NewsToolbox

/// A stream of items as text, one line for each.
public struct FollowView: ContentView {
  private var terminal: Terminal
  private let width: @Sendable () -> Int?

  /// `width` returns the terminal's current width, which changes with its window.
  public init(terminal: Terminal, width: (@Sendable () -> Int?)? = nil) {
    self.terminal = terminal
    self.width = width ?? { terminal.width }
  }

  public mutating func render(_ content: FollowViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    terminal.width = width()
    NewsListView(terminal: terminal, footer: nil).render(content.lines, .steady, into: &buffer)
  }
}

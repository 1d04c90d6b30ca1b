public import Modules

/// One line. Commands that change something are quiet unless asked: the caller decides whether to show it.
public struct MarkView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: MarkViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.paint(content.text, on: terminal)
    buffer.newLine()
  }
}

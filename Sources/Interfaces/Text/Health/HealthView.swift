public import Modules
public import NewsToolbox

/// The health of a store as text: the verdict, then a line for each figure.
public struct HealthView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: HealthViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      buffer.paint(line, on: terminal)
      buffer.newLine()
    }
  }
}

public import Modules
public import NewsToolbox

/// Shows the explanation line by line.
public struct SearchExplanationView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: SearchExplanationViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      buffer.paint(line, on: terminal)
      buffer.newLine()
    }
  }
}

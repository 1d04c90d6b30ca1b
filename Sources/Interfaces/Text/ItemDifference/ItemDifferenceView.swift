public import Modules
public import NewsToolbox

/// The difference as text: removed lines begin with `-`, added lines with `+`, unchanged lines with spaces.
public struct ItemDifferenceView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) { self.terminal = terminal }

  public func render(_ content: ItemDifferenceViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      switch line.kind {
      case .same: buffer.append(literal: "  ")
      case .removed: buffer.paint(literal: "- ", .error, on: terminal)
      case .added: buffer.paint(literal: "+ ", .unread, on: terminal)
      }
      buffer.paint(line.text, on: terminal)
      buffer.newLine()
    }
  }
}

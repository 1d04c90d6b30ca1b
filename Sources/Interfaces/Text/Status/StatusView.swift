public import Modules
public import NewsToolbox

/// The figures of a store as text: a line with name and value for each.
public struct StatusView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: StatusViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    let nameWidth = content.facts.map { $0.name.string.utf8.count }.max() ?? 0
    for fact in content.facts {
      buffer.paint(fact.name, on: terminal)
      buffer.spaces(nameWidth + 2 - fact.name.string.utf8.count)
      buffer.paint(fact.value, on: terminal)
      buffer.newLine()
    }
  }
}

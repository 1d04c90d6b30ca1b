public import Modules
public import NewsToolbox

/// The change log as text: sequence number, kind, id and title.
public struct ChangesView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: ChangesViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines { append(line, to: &buffer) }
  }

  private func append(_ line: ChangeLine, to buffer: inout ByteBuffer) {
    let kind = line.kind.string
    let head = "\(line.sequence) \(kind.padded(to: 8)) \(line.id) "
    buffer.paint(safe: head, line.isGone ? .error : .faint, on: terminal)
    let room = terminal.width.map { max($0 - head.utf8.count, 10) } ?? .max
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    let text = width.fit(line.title.string, into: room).text
    buffer.append(DisplayText(unchecked: text).isolated)
    buffer.newLine()
  }
}

public import Modules
public import NewsToolbox

/// A short list as text: a line for each record, with its note below. For modules whose lists need no special
/// layout.
public struct RecordTextView<Content: RecordListContent>: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      buffer.paint(line.text, on: terminal)
      buffer.newLine()
      guard let note = line.note else { continue }
      buffer.spaces(4)
      buffer.paint(note, .faint, on: terminal)
      buffer.newLine()
    }
  }
}

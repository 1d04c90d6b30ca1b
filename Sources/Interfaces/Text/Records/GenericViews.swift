public import Modules
public import NewsToolbox

/// A list of records as text: a line for each record, with its note below.
public struct RecordTextView<Record: Sendable>: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: RecordList<Record>, isLast: Bool, _ buffer: inout ByteBuffer) {
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

/// Writes lines in the plain style.
public struct LinesView: ContentView {
  public init() {}

  public func render(_ content: TextLines, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines { buffer.append(line.string + "\n") }
  }
}

/// Renders nothing. For modules that only report what they have done, in notes, which `Screen` shows.
public struct SilentView<Content: ScreenContent>: ContentView {
  public init() {}

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {}
}

/// Shows only the number of matches.
public struct SearchCountView: ContentView {
  public init() {}

  public func render(_ content: SearchCountViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(decimal: Int64(content.count))
    buffer.newLine()
  }
}

/// A small list as a view model: a line for people and columns for programs of each record.
protocol RecordContent: ScreenContent {
  associatedtype Field: RecordField
  var lines: [RecordLine<Field.Record>] { get }
  /// What was done, in a sentence before the records; nil: nothing was.
  var notice: DisplayText? { get }
}

extension RecordContent {
  var notice: DisplayText? { nil }
}

/// Records in the format asked for: what rules, saved searches, versions and their like are shown with.
///
/// Each module makes it for its own view model with an `init(_ shape: RecordShape)`, which throws a usage error for a
/// format that records do not have, an unknown column, or a mistake in the template.
public struct RecordListView<Content: ScreenContent>: ContentView {
  private var list: any RecordPrinting<Content>

  init(records shape: RecordShape) throws(UserMessage) where Content: RecordContent {
    list = RecordPrinter<Content>(terminal: shape.terminal, list: try RecordList(shape))
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }

  public mutating func render(
    _ content: Content,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    try list.render(content, &buffer)
  }
}

/// Keeps the columns, which no other module needs to know, out of the view's type.
private protocol RecordPrinting<Content>: Sendable {
  associatedtype Content
  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError)
  mutating func render(_ content: Content, _ buffer: inout ByteBuffer) throws(OutputError)
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError)
}

private struct RecordPrinter<Content: RecordContent>: RecordPrinting {
  let terminal: Terminal
  var list: RecordList<Content.Field>

  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }

  mutating func render(_ content: Content, _ buffer: inout ByteBuffer) throws(OutputError) {
    if let notice = content.notice {
      buffer.paint(notice, on: terminal)
      buffer.newLine()
    }
    try list.render(content.lines, &buffer)
  }
}

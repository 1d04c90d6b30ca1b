public import Modules
public import NewsText
public import NewsToolbox

/// Shows the records of any module in a format for programs.
struct DocumentView<Content: RecordContent>: ContentView {
  private var encoder: any RecordEncoding<Content.Record>

  init(_ encoder: any RecordEncoding<Content.Record>) {
    self.encoder = encoder
  }

  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.begin(&buffer) }

  mutating func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) throws(OutputError) {
    try encoder.append(contentsOf: content.records, to: &buffer)
  }

  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.end(&buffer) }
}

/// Writes the bytes of a document without changing them.
public struct BytesView: ContentView {
  public init() {}

  public func render(_ content: DocumentContent, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(content.bytes)
  }
}

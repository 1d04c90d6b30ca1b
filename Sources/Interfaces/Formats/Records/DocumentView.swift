import Modules
import NewsText
import NewsToolbox

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

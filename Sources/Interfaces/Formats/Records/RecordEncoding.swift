import NewsText
import NewsToolbox

/// Encodes a sequence of records of one kind as a document.
protocol RecordEncoding<Record>: Sendable {
  associatedtype Record
  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError)
  mutating func append(_ record: Record, to buffer: inout ByteBuffer) throws(OutputError)
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError)
}

extension RecordEncoding {
  mutating func begin(_ buffer: inout ByteBuffer) {}
  mutating func end(_ buffer: inout ByteBuffer) {}

  mutating func append(contentsOf records: [Record], to buffer: inout ByteBuffer) throws(OutputError) {
    // Through a span: a loop over the array, and its subscript in unspecialized code, would copy each record.
    let records = records.span
    for index in records.indices { try append(records[index], to: &buffer) }
  }
}

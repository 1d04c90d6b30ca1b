/// Writes records of one kind, one after the other, as a document in one format.
protocol RecordEncoding<Record>: Sendable {
  associatedtype Record
  mutating func begin(_ buffer: inout ByteBuffer)
  mutating func append(_ record: Record, to buffer: inout ByteBuffer)
  mutating func end(_ buffer: inout ByteBuffer)
}

extension RecordEncoding {
  mutating func begin(_ buffer: inout ByteBuffer) {}
  mutating func end(_ buffer: inout ByteBuffer) {}

  mutating func append<Records: Sequence<Record>>(contentsOf records: Records, to buffer: inout ByteBuffer) {
    for record in records { append(record, to: &buffer) }
  }
}

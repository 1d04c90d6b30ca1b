public import NewsCore

/// A view model that carries the items it shows, for the formats that programs read.
public protocol ItemContent: ScreenContent {
  var items: [ItemMatch] { get }
}

extension ItemContent {
  public var rowCount: Int { items.count }
}

/// Renders the items of any module in a format for programs.
struct ItemDocumentView: Sendable {
  private var encoder: any RecordEncoding<ItemMatch>

  init(_ encoder: any RecordEncoding<ItemMatch>) {
    self.encoder = encoder
  }

  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.begin(&buffer) }

  mutating func render(_ items: [ItemMatch], _ buffer: inout ByteBuffer) throws(OutputError) {
    try encoder.append(contentsOf: items, to: &buffer)
  }

  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.end(&buffer) }
}

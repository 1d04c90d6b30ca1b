import NewsCore
import NewsToolbox

/// The pages of a store's file that hold its schema, read without SQLite (SQLite, "Database File Format" 1.6).
struct SchemaPages {
  private let text: String

  /// `read` returns a number of bytes at an offset; nil if the file has fewer.
  init(reading read: (_ count: Int, _ offset: Int) -> [UInt8]?) {
    var bytes = read(StoreHeader.pageSize, 0) ?? []
    for (_, page) in Self.references(onFirst: bytes).prefix(Self.limit) where page > 0 {
      bytes += read(StoreHeader.pageSize, (page - 1) * StoreHeader.pageSize) ?? []
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// A store's schema has two or three pages; a damaged page may name thousands.
  private static let limit = 32

  /// True if the schema has every table of this layout, column for column, and if no table is readable: then the layout
  /// is unknown.
  func mayBeOfThisLayout() throws(StoreError) -> Bool {
    guard text.contains(bytesOf: "CREATE TABLE ") else { return true }
    return try Schema.firstTables().allSatisfy { text.contains(bytesOf: $0) }
  }

  /// The offsets on page 1 that contain the numbers of the schema's other pages, and these numbers. Empty if the whole
  /// schema is on page 1.
  static func references(onFirst page: [UInt8]) -> [(place: Int, page: Int)] {
    func number(_ place: Int, _ count: Int) -> Int {
      page.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
    // An interior b-tree page.
    guard page.count >= StoreHeader.pageSize, page[100] == 0x05 else { return [] }
    let places = (0..<number(103, 2)).map { number(112 + 2 * $0, 2) } + [108]
    return places.map { ($0, number($0, 4)) }
  }
}

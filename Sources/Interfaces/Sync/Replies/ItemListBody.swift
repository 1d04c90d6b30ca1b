import NewsHTTP
import NewsCore

/// Writes whole items in portions. Each portion is read from its own snapshot of the store.
actor ItemListBody: HTTPBodyStream {
  /// Number of items read at a time; few, because texts may be long.
  private static let portion = 20

  private let store: any ItemReading
  private var ids: ArraySlice<NewsItem.ID>
  private let separator: [UInt8]
  private let write: @Sendable (StreamItem) -> [UInt8]
  private var begin: [UInt8]
  private let end: [UInt8]
  private var isFirst = true
  private var isDone = false

  /// Ids without an item are skipped.
  init(
    _ store: any ItemReading,
    _ ids: [NewsItem.ID],
    begin: [UInt8],
    separator: String = "",
    end: [UInt8],
    write: @escaping @Sendable (StreamItem) -> [UInt8]
  ) {
    self.store = store
    self.ids = ids[...]
    self.separator = Array(separator.utf8)
    self.begin = begin
    self.end = end
    self.write = write
  }

  func next() async throws -> [UInt8]? {
    guard !isDone else { return nil }
    var bytes = begin
    begin = []
    while bytes.isEmpty || bytes.count < 1 << 15, !ids.isEmpty {
      let part = ids.prefix(Self.portion)
      ids = ids.dropFirst(part.count)
      for item in try await store.streamItems(Array(part)) {
        if !isFirst { bytes += separator }
        isFirst = false
        bytes += write(item)
      }
    }
    if ids.isEmpty {
      isDone = true
      bytes += end
    }
    return bytes
  }
}

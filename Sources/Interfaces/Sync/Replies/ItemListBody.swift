import NewsHTTP
import NewsCore

/// Writes whole items in portions. Each portion is read from its own snapshot of the store.
actor ItemListBody: HTTPBodyStream {
  /// How many items are read at a time at most, and how many bytes of texts end a portion before.
  private static let (most, portionBytes) = (500, 1 << 18)

  private let store: any ItemReading
  private var ids: ArraySlice<NewsItem.ID>
  private let separator: [UInt8]
  private let write: @Sendable ([StreamItem]) async -> [[UInt8]]
  private var begin: [UInt8]
  private let end: [UInt8]
  private var isFirst = true
  private var isDone = false

  /// Ids without an item are skipped. `write` makes the text of each item of a portion.
  init(
    _ store: any ItemReading,
    _ ids: [NewsItem.ID],
    begin: [UInt8],
    separator: String = "",
    end: [UInt8],
    write: @escaping @Sendable ([StreamItem]) async -> [[UInt8]]
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
      let part = Array(ids.prefix(Self.most))
      let (items, count) = try await store.streamItems(part, within: Self.portionBytes)
      ids = ids.dropFirst(count)
      for text in await write(items) {
        if !isFirst { bytes += separator }
        isFirst = false
        bytes += text
      }
    }
    if ids.isEmpty {
      isDone = true
      bytes += end
    }
    return bytes
  }
}

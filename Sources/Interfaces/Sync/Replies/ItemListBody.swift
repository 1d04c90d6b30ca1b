import NewsHTTP
import NewsCore

/// Writes whole items in portions. Each portion is read from its own snapshot of the store.
actor ItemListBody: HTTPBodyStream {
  /// Number of items that are read first, and at most: few, because texts may be long, until their length is known.
  private static let (first, most) = (20, 500)
  /// How many bytes of texts are read at a time, about.
  private static let portionBytes = 1 << 18

  private let store: any ItemReading
  private var ids: ArraySlice<NewsItem.ID>
  private let separator: [UInt8]
  private let write: @Sendable ([StreamItem]) async -> [[UInt8]]
  private var begin: [UInt8]
  private let end: [UInt8]
  private var isFirst = true
  private var portion = ItemListBody.first
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
      let part = ids.prefix(portion)
      ids = ids.dropFirst(part.count)
      let texts = await write(try await store.streamItems(Array(part)))
      for text in texts {
        if !isFirst { bytes += separator }
        isFirst = false
        bytes += text
      }
      let length = texts.reduce(0) { $0 + $1.count }
      if length > 0 { portion = min(max(Self.portionBytes / (length / texts.count), 1), Self.most) }
    }
    if ids.isEmpty {
      isDone = true
      bytes += end
    }
    return bytes
  }
}

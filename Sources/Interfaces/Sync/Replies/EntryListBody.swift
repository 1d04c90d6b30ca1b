import NewsHTTP
import NewsCore

/// Writes the items of a stream one page of the store at a time, so that memory does not grow with their number and no
/// read transaction stays open for a slow client.
actor EntryListBody: HTTPBodyStream {
  /// Number of items read at a time.
  private static let portion = 10_000

  private let store: any ItemReading
  private var request: StreamRequest
  private var left: Int
  private let write: @Sendable ([StreamEntry], Bool) -> [UInt8]
  private let end: @Sendable (NewsItem.ID?) -> [UInt8]
  private var hasBegun = false
  private var isDone = false

  /// `write` makes the text of a batch of items; the flag is true for the first batch, which may be empty.
  /// `end` makes the text after the last item, from the id to continue after if there are more.
  init(
    _ store: any ItemReading,
    _ request: StreamRequest,
    limit: Int,
    write: @escaping @Sendable ([StreamEntry], Bool) -> [UInt8],
    end: @escaping @Sendable (NewsItem.ID?) -> [UInt8]
  ) {
    self.store = store
    self.request = request
    left = limit
    self.write = write
    self.end = end
  }

  func next() async throws -> [UInt8]? {
    guard !isDone else { return nil }
    // Request one item more than needed, to learn whether there are more.
    let wanted = min(left, Self.portion)
    var entries = try await store.entries(request, limit: wanted + 1)
    let hasMore = entries.count > wanted
    if hasMore { entries.removeLast() }
    left -= entries.count
    if let last = entries.last { request.after = last.id }
    var bytes = write(entries, !hasBegun)
    hasBegun = true
    if !hasMore || left == 0 {
      isDone = true
      bytes += end(hasMore ? request.after : nil)
    }
    return bytes
  }
}

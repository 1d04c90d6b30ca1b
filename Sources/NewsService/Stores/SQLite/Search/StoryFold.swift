import NewsStoresShared
import NewsCore

/// Keeps only the first item of each story in a list.
struct StoryFold: Sendable {
  private var offset: Int
  private var left: Int
  private var seen: Set<Int64> = []

  init(_ request: ItemRequest) {
    offset = max(request.offset, 0)
    left = request.limit.map { max($0, 0) } ?? .max
  }

  var isDone: Bool { left == 0 }

  /// Marks the item's story as shown.
  mutating func pass(_ key: ItemKey, _ connection: Connection) throws(StoreError) {
    if let story = try connection.number("SELECT cluster FROM items WHERE key = $1", key) {
      seen.insert(story)
    }
  }

  /// Returns the number of other items of the item's story. Returns nil if an earlier item represents the story, or
  /// if the offset skips the item.
  mutating func take(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> Int? {
    let story = try connection.number("SELECT cluster FROM items WHERE key = $1", key)
    if let story, !seen.insert(story).inserted { return nil }
    if offset > 0 {
      offset -= 1
      return nil
    }
    left -= 1
    guard let story else { return 0 }
    return max(
      Int(try connection.number("SELECT count(*) FROM items WHERE cluster = $1", story) ?? 0) - 1,
      0
    )
  }
}

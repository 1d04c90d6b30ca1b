import NewsStoresShared
import NewsCore

/// Keeps only the first item of each cluster in a list.
struct ClusterFold: Sendable {
  private var offset: Int
  private var left: Int
  private var seen: Set<Int64> = []

  init(_ request: ItemRequest) {
    offset = max(request.offset, 0)
    left = request.limit.map { max($0, 0) } ?? .max
  }

  var isDone: Bool { left == 0 }

  /// Marks the item's cluster as shown.
  mutating func pass(_ key: ItemKey, _ connection: Connection) throws(StoreError) {
    if let cluster = try connection.number("SELECT cluster FROM items WHERE key = $1", key) {
      seen.insert(cluster)
    }
  }

  /// Returns the number of other items in the item's cluster. Returns nil if an earlier item represents the cluster, or
  /// if the offset skips the item.
  mutating func take(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> Int? {
    let cluster = try connection.number("SELECT cluster FROM items WHERE key = $1", key)
    if let cluster, !seen.insert(cluster).inserted { return nil }
    if offset > 0 {
      offset -= 1
      return nil
    }
    left -= 1
    guard let cluster else { return 0 }
    return max(
      Int(try connection.number("SELECT count(*) FROM items WHERE cluster = $1", cluster) ?? 0) - 1,
      0
    )
  }
}

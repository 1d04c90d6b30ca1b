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
    let statement = try connection.prepare("SELECT cluster FROM items WHERE key = ?")
    try statement.bind(1, key.rawValue)
    if try statement.step(), let cluster = statement.optionalInt64(0) { seen.insert(cluster) }
  }

  /// Returns the number of other items in the item's cluster. Returns nil if an earlier item represents the cluster, or
  /// if the offset skips the item.
  mutating func take(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> Int? {
    let statement = try connection.prepare("SELECT cluster FROM items WHERE key = ?")
    try statement.bind(1, key.rawValue)
    guard try statement.step() else { return nil }
    let cluster = statement.optionalInt64(0)
    if let cluster, !seen.insert(cluster).inserted { return nil }
    if offset > 0 {
      offset -= 1
      return nil
    }
    left -= 1
    guard let cluster else { return 0 }
    let members = try connection.prepare("SELECT count(*) FROM items WHERE cluster = ?")
    try members.bind(1, cluster)
    return try members.step() ? max(members.int(0) - 1, 0) : 0
  }
}

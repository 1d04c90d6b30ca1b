import NewsStoresShared
import NewsCore

/// Keeps only the first item of each cluster in a list that is read in portions.
struct ClusterFold {
  private var seen: Set<Int64> = []

  /// Returns the items to show, each with the number of other items in its cluster. A cluster of which an earlier page
  /// has shown an item is omitted; `before` is true for items of earlier pages.
  mutating func take(
    _ places: [Selection.Place],
    before: (Selection.Place) -> Bool,
    _ connection: Connection
  ) throws(StoreError) -> [(Selection.Place, Int)] {
    guard !places.isEmpty else { return [] }
    var clusters: [Int64: Int64] = [:]
    var sizes: [Int64: Int] = [:]
    for row in try connection.query(
      "SELECT id, cluster FROM items WHERE id = ANY($1::bigint[]) AND cluster IS NOT NULL",
      Parameter.array(places.map(\.id))
    ) { clusters[row.int64(0)] = row.int64(1) }
    for row in try connection.query(
      "SELECT cluster, count(*) FROM items WHERE cluster = ANY($1::bigint[]) GROUP BY cluster",
      Parameter.array(Array(Set(clusters.values)))
    ) { sizes[row.int64(0)] = row.int(1) }
    var shown: [(Selection.Place, Int)] = []
    for place in places {
      let cluster = clusters[place.id]
      guard !before(place) else {
        if let cluster { seen.insert(cluster) }
        continue
      }
      guard let cluster else {
        shown.append((place, 0))
        continue
      }
      if seen.insert(cluster).inserted { shown.append((place, max((sizes[cluster] ?? 1) - 1, 0))) }
    }
    return shown
  }
}

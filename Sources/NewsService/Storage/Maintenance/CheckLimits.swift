/// Bounds of the parts in which `check` reads a store.
struct CheckLimits: Hashable, Sendable {
  /// The size of a file that is checked at once, in bytes.
  var fileBytes: Int64 = 32 << 20
  /// The number of rows of a table that is checked at once.
  var tableRows = 10_000
  /// The number of rows read per snapshot.
  var portion = 10_000
  /// How long one portion may read, in milliseconds: rows may have several megabytes.
  var portionMilliseconds: Int64 = 300
}

/// Limits of the portions in which `check` reads a store.
struct CheckLimits: Hashable, Sendable {
  /// Maximum size of a file that is checked in one piece, in bytes.
  var fileBytes: Int64 = 32 << 20
  /// Maximum number of rows of a table that is checked in one piece.
  var tableRows = 10_000
  /// Maximum number of rows that are read per snapshot.
  var portion = 10_000
  /// Maximum time for reading a portion, in milliseconds: rows may have several megabytes.
  var portionMilliseconds: Int64 = 300
}

import CPQ

/// The functions of libpq, loaded once.
struct LibPQ: @unchecked Sendable {
  // Function pointers of a library that is never unloaded; libpq is thread-safe for different connections.
  let call: newsd_pq

  /// Nil if libpq is not installed, or is older than that of PostgreSQL 14.
  static let shared: LibPQ? = load()

  @inline(never)
  private static func load() -> LibPQ? {
    var table = newsd_pq()
    return newsd_pq_load(&table) == 1 ? LibPQ(call: table) : nil
  }
}

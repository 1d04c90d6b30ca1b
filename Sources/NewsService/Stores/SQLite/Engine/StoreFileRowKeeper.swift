import NewsStoresShared
import NewsCore

/// Preserves the id of a file while all its pages are replaced by those of another file.
///
/// The WAL must contain the file's id at any moment (see `ForeignWAL`). The id is therefore written into the other file, a copy,
/// before its pages are copied in one transaction.
struct StoreFileRowKeeper {
  private let mark: (id: String, commits: Int64, restored: Int64)?

  /// Reads the id. An unreadable id is not preserved. In a damaged store, the row may be readable only without SQLite.
  init(_ target: Connection) {
    let row = try? Self.read(target)
    let known = row ?? target.fileMark().map { ($0.id, $0.commits, Int64.random(in: 1...1_000_000)) }
    mark = known.map { ($0.id, min($0.commits, .max - 2), min($0.restored, .max - 1)) }
  }

  private static func read(
    _ connection: Connection
  ) throws(StoreError) -> (id: String, commits: Int64, restored: Int64)? {
    try connection.first("SELECT id, commits, restored FROM file") {
      ($0.string(0), $0.int64(1), $0.int64(2))
    }
  }

  /// Writes the preserved id into the file whose pages will be copied. With `isRestored`, running processes detect that the
  /// content was replaced. Without a preserved id, they detect it by a random number.
  func write(to copy: Connection, isRestored: Bool) throws(StoreError) {
    guard let mark else { return try copy.execute("UPDATE file SET restored = abs(random() % 1000000) + 1") }
    try copy.run(
      "UPDATE file SET id = $1, commits = $2, restored = $3",
      mark.id,
      mark.commits + 1,
      mark.restored + (isRestored ? 1 : 0)
    )
  }
}

/// The last numbers that a store has assigned to feeds, items and changes.
///
/// Other programs know these numbers: as ids, as cursors, and from the keys of deliveries, by which receivers recognize
/// repetitions. After a restore or a copy, the content therefore continues after these numbers, so that no number is
/// assigned twice. It also keeps the hooks of the configuration that fire: until the daemon has noticed a restore, it registers
/// none, and items that are stored meanwhile must be delivered.
struct GivenNumbers {
  private static let counters: [Counter] = [.feed, .item, .sequence]
  /// The range of possible numbers. Numbers outside of it come from a damaged page and are ignored.
  private static let plausible: ClosedRange<Int64> = 1...(1 << 40)

  private var last: [(counter: Counter, number: Int64)] = []
  private var hooks: [StoredHook] = []
  /// True if the store has given numbers to other things than the content that replaces it.
  private var contradictsContent = false

  /// Creates the numbers for a store that is missing or unreadable.
  init() {}

  /// Reads the numbers of a store, which `content` will replace; nil: its own content will. Ignores numbers that cannot be read.
  init(_ connection: Connection, replacedBy content: Connection? = nil) {
    for counter in Self.counters {
      guard let number = try? connection.value(of: counter), Self.plausible.contains(number)
      else { continue }
      last.append((counter, number))
    }
    hooks = (try? Self.configuredHooks(connection)) ?? []
    if let content { contradictsContent = (try? Self.contradict(connection, content)) ?? false }
  }

  /// Number of feeds and items whose numbers are compared.
  private static let compared = 1000

  /// True if a number belongs to a feed or item that one of the stores got at another time than the other store.
  private static func contradict(_ store: Connection, _ content: Connection) throws(StoreError) -> Bool {
    for (table, column) in [("feeds", "added"), ("items", "stored")] {
      let newest = try content.rows(
        "SELECT id, \(column) FROM \(table) ORDER BY id DESC LIMIT \(compared)"
      ) { (id: $0.int64(0), time: $0.int64(1)) }
      for (id, time) in newest {
        let other = try store.number("SELECT \(column) FROM \(table) WHERE id = $1", id)
        if let other, other != time { return true }
      }
    }
    return false
  }

  /// Returns the hooks that fire, without those of the page, which are content.
  private static func configuredHooks(_ connection: Connection) throws(StoreError) -> [StoredHook] {
    guard try connection.has(Connection.lastPartOfHooks) else { return [] }
    let hooks = try connection.activeHooks()
    guard try connection.has("page_hooks") else { return hooks }
    let ofPage = try connection.rows("SELECT name FROM page_hooks") { $0.string(0) }
    return hooks.filter { !ofPage.contains($0.name) }
  }

  /// Raises the counters of the restored or copied content to these numbers, and has the hooks fire. If a number is unknown,
  /// because the replaced content cannot be read, skips as many as `skipNumbers`. So it does if the replaced content is behind
  /// or contradicts the other: that store was made after the loss of the one whose numbers are known to others.
  func pass(to connection: Connection) throws(StoreError) {
    if !hooks.isEmpty, try !connection.has(Connection.lastPartOfHooks) {
      try Schema.createLaterTables(connection)
    }
    try connection.activate(hooks)
    var isYoung = contradictsContent || !last.contains { $0.counter == .sequence }
    for (counter, number) in last where try number < connection.value(of: counter) { isYoung = true }
    for counter in Self.counters {
      let known = last.first { $0.counter == counter }?.number
      try connection.set(counter) { current in
        guard let known else { return counter.skipping(current) }
        let highest = "max(\(current), \(known))"
        return isYoung ? counter.skipping(highest) : highest
      }
    }
  }
}

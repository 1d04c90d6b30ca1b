import NewsCore
import NewsStoresShared
import NewsToolbox

/// Copies all readable rows of a damaged store into a new one.
///
/// Reads only the data: indexes, the full-text index, fingerprints and totals are rebuilt.
struct StoreSalvage {
  let source: Connection
  let target: Connection
  private var importer: ImportReader<StoreImport>
  var lostRows: [String: Int] = [:]
  private var lostTexts: [Int64] = []

  /// Fills the empty store `target` in one transaction. Returns descriptions of the losses, one line each.
  static func run(from source: Connection, into target: Connection) throws(StoreError) -> [String] {
    try target.transaction { () throws(StoreError) in
      var salvage = StoreSalvage(source: source, target: target)
      for table in ExportTable.all where table.name != "counters" && !table.isLater {
        try salvage.copy(table)
      }
      try salvage.copyItems()
      for table in tablesCopiedByRow { try salvage.copyRows(of: table) }
      try salvage.importer.finish()
      try StoreInspection.repair(target)
      try GivenNumbers(source).pass(to: target)
      return salvage.losses
    }
  }

  private init(source: Connection, target: Connection) {
    self.source = source
    self.target = target
    importer = ImportReader(StoreImport(target), .trusted)
  }

  private var losses: [String] {
    var lines = lostRows.sorted { $0.key < $1.key }.map { "\($0.value) damaged parts of \($0.key) are lost" }
    if !lostTexts.isEmpty {
      let ids = lostTexts.prefix(20).map { "\($0)" }.joined(separator: " ")
      let more = lostTexts.count > 20 ? " …" : ""
      lines.append("the text of \(lostTexts.count) items is lost: \(ids)\(more)")
    }
    return lines
  }

  private mutating func copy(_ table: ExportTable) throws(StoreError) {
    let columns = table.columnList
    let sql = "SELECT \(columns) FROM \(table.name) WHERE \(table.order) = $1"
    var scan = KeyScan(table: table.name, key: table.order, source)
    while let key = try scan.next() {
      let line = try readIgnoringDamage { () throws(StoreError) -> JSONValue? in
        try source.first(sql, key) { table.line($0) }
      }
      try store(line, of: table.name)
    }
    if scan.gaps > 0 { lostRows[table.name, default: 0] += scan.gaps }
  }

  private mutating func copyItems() throws(StoreError) {
    var scan = KeyScan(table: "items", key: "key", source)
    while let key = try scan.next() {
      let key = ItemKey(rawValue: key)
      if let whole = try readWhole(key) {
        let line = try readIgnoringDamage { () throws(StoreError) in
          try ItemExport.withVersions(whole, source)
        }
        if line == nil { lostRows["versions", default: 0] += 1 }
        try store(line ?? whole, of: "items")
      } else if let head = try readIgnoringDamage({ () throws(StoreError) in
        try ItemExport.headLine(key, source)
      }) {
        try store(head, of: "items")
        lostTexts.append(head["id"]?.integer ?? 0)
      } else {
        lostRows["items", default: 0] += 1
      }
    }
    if scan.gaps > 0 { lostRows["items", default: 0] += scan.gaps }
  }

  /// Reads an item's export line. Omits the labels if only they are damaged.
  private mutating func readWhole(_ key: ItemKey) throws(StoreError) -> JSONValue? {
    for withLabels in [true, false] {
      let line = try readIgnoringDamage { () throws(StoreError) in
        try ItemExport.line(key, labels: withLabels ? nil : [:], source)
      }
      guard let line else { continue }
      if !withLabels { lostRows["labels", default: 0] += 1 }
      return line
    }
    return nil
  }

  /// Stores a row. Counts an invalid row as lost, because it comes from a damaged page or has a duplicate number.
  private mutating func store(_ line: JSONValue?, of table: String) throws(StoreError) {
    guard let line else {
      lostRows[table, default: 0] += 1
      return
    }
    do {
      try importer.read(line)
    } catch {
      guard error.code == .badQuery || error.code == .other || error.code == .corrupt else { throw error }
      lostRows[table, default: 0] += 1
    }
  }

  /// Runs `body`, and returns nil if the file is damaged or the table is missing from its schema. Other errors end the
  /// salvage.
  func readIgnoringDamage<Value>(_ body: () throws(StoreError) -> Value?) throws(StoreError) -> Value? {
    do {
      return try body()
    } catch  where error.code == .corrupt || error.code == .other {
      return nil
    }
  }
}

/// Iterates over the integer keys of a table in ascending order and skips unreadable pages.
private struct KeyScan {
  private let source: Connection
  private let sql: String
  private var bound = Int64.min
  private var isAtEnd = false
  /// Number of places where rows may be missing.
  private(set) var gaps = 0

  init(table: String, key: String, _ source: Connection) {
    self.source = source
    sql = "SELECT \(key) FROM \(table) WHERE \(key) >= $1 ORDER BY \(key) LIMIT 1"
  }

  private enum Step { case key(Int64), end, damaged }

  mutating func next() throws(StoreError) -> Int64? {
    guard !isAtEnd else { return nil }
    var step = try read(from: bound)
    if case .damaged = step {
      gaps += 1
      step = try firstReadableKey(after: bound)
    }
    guard case .key(let key) = step, key < .max else {
      isAtEnd = true
      if case .key(let key) = step { return key }
      return nil
    }
    bound = key + 1
    return key
  }

  /// Returns the first key after the damage that starts at `start`. An exponential search finds a readable key, and
  /// bisection then finds the first one.
  private func firstReadableKey(after start: Int64) throws(StoreError) -> Step {
    var damaged = start
    var width: UInt64 = 1
    while true {
      // The full range of Int64 does not fit into an Int64.
      let rest = UInt64(bitPattern: Int64.max &- start)
      let readable = start &+ Int64(bitPattern: min(width, rest))
      if case .damaged = try read(from: readable) {
        damaged = readable
        guard width < rest else { return .end }
        width = width > rest / 2 ? rest : width * 2
        continue
      }
      var first = readable
      while first &- damaged != 1 {
        let middle = damaged &+ Int64(bitPattern: UInt64(bitPattern: first &- damaged) / 2)
        if case .damaged = try read(from: middle) { damaged = middle } else { first = middle }
      }
      return try read(from: first)
    }
  }

  private func read(from bound: Int64) throws(StoreError) -> Step {
    do {
      guard let key = try source.number(sql, bound) else { return .end }
      // A damaged page may hold keys from outside its range.
      return key >= bound ? .key(key) : .damaged
    } catch  where error.code == .corrupt || error.code == .other {
      return .damaged
    }
  }
}

extension StoreSalvage {
  /// Tables whose rows are copied unchanged. Three are in neither list, because their rows belong to this machine. Most
  /// of the tables have no integer key, which `copy` needs.
  static let tablesCopiedByRow =
    ExportTable.all.filter(\.isLater).map(\.name) + SideTable.all.map(\.name)
    + ["sessions", "hub_subscriptions", "import_places"]

  /// Copies the readable rows of a table: first from the start up to the damage, then from the end. Stores created by
  /// earlier versions may lack the table.
  mutating func copyRows(of table: String) throws(StoreError) {
    let isPresent = try readIgnoringDamage { () throws(StoreError) in
      try source.number("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'")
    }
    guard isPresent != 0 else { return }
    let key = try TableShape(table, target).key
    let columns = try columns(of: table)
    let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY "
    guard try !copyRows(query + key.joined(separator: ", "), to: table, columns) else { return }
    lostRows[table, default: 0] += 1
    _ = try copyRows(query + key.map { $0 + " DESC" }.joined(separator: ", "), to: table, columns)
  }

  private func columns(of table: String) throws(StoreError) -> [String] {
    try target.rows("SELECT name FROM pragma_table_info('\(table)')") { $0.string(0) }
  }

  /// Returns false if damage ended the copying.
  private func copyRows(
    _ query: String,
    to table: String,
    _ columns: [String]
  ) throws(StoreError) -> Bool {
    let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    // Ignore duplicate rows, and rows of damaged pages that lack a value.
    let insertion = "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))"
    let isWhole: Void? = try readIgnoringDamage { () throws(StoreError) in
      let row = try source.prepare(query)
      while try row.step() {
        try target.run(insertion, values: columns.indices.map { row.value(Int32($0)) })
      }
    }
    return isWhole != nil
  }
}

import NewsSearch
import NewsStoresShared
import CSQLite
import Glibc
import NewsCore
import NewsToolbox

/// An SQLite connection with a cache of prepared statements.
///
/// The connection is opened without SQLite's mutex, so only one task may use it at a time. The pool lends a reader to
/// one task, and the writer belongs to an actor; this makes `@unchecked Sendable` correct.
package final class Connection: @unchecked Sendable {
  enum Access {
    case reading, writing, creating
    /// Opens a file that cannot change, such as one on a read-only file system, without locks and WAL.
    case immutable
  }

  let raw: OpaquePointer
  let path: String
  /// How long a statement waits for another connection's lock, in milliseconds.
  var busyTimeout: Int32 = 0
  /// Pages in the WAL after this connection's last commit.
  private(set) var walPages = 0
  /// Device and inode of the file; nil for a store in memory.
  let file: FileIdentity?
  /// The owner of the file; nil for a store in memory.
  private let owner: FileTrust.Owner?
  /// The row of the table `file` that was last read from the database file; see `wasOverwritten`.
  let known: KnownMark
  /// The story keys that this connection has stored.
  var storyKeys = StoryKeyFilter()
  /// The last measure of the tombstones.
  var tombstones: (bytes: Int64, time: ContinuousClock.Instant)?
  private var idle = StatementCache()

  /// Disables SQLite's memory statistics, which take a lock at every allocation, and has connections take little memory in
  /// advance: with 200 accounts, there are 800. This must happen before the first connection is opened.
  private static let configuration = [
    newsd_sqlite3_config_flag(SQLITE_CONFIG_MEMSTATUS, 0), newsd_sqlite3_config_memory(256, 100),
  ]

  /// Opens a file with triggers disabled, because a store has none.
  ///
  /// With `toleratesDamage`, also opens truncated files: reading a missing page is then an error, and the schema is
  /// writable. All connections of a store share `known`. Root gives a file that is created to `newFileOwner`.
  init(
    path: String,
    access: Access,
    busyTimeout: Int32,
    toleratesDamage: Bool = false,
    newFileOwner: FileTrust.Owner? = nil,
    known: KnownMark = KnownMark()
  ) throws(StoreError) {
    _ = Self.configuration
    let isFile = path != ":memory:" && access != .immutable
    // SQLite makes files beside the database by its name.
    let held = isFile ? try StoreDirectory.heldName(ofStore: path) : nil
    if isFile, let (log, uid) = FileTrust.foreignLog(ofDatabase: held ?? path) {
      throw .foreignLog(log, uid, of: path)
    }
    var handle: OpaquePointer?
    let opened = try OpenFiles.add(path == ":memory:" ? nil : held ?? path) { () throws(StoreError) in
      handle = try Self.open(path, held: held, access, newFileOwner)
    }
    (file, owner) = (opened?.file, opened?.owner)
    guard let handle else { throw StoreError(code: .other, message: "SQLite did not open \(path)") }
    raw = handle
    self.path = path
    self.known = known
    self.busyTimeout = busyTimeout
    // SQLite calls the handler only while a statement of this connection runs, so no retain is needed.
    sqlite3_busy_handler(
      raw,
      { context, attempts in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.waitForLock(attempts) ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    // Distrust the schema of any file: disable triggers and functions with side effects, and forbid writes to the
    // schema and to the shadow tables of the full-text index.
    _ = newsd_sqlite3_db_config_flag(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    _ = newsd_sqlite3_db_config_flag(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = newsd_sqlite3_db_config_flag(raw, SQLITE_DBCONFIG_DEFENSIVE, toleratesDamage ? 0 : 1)
    // SQLite opens a truncated database only if its schema is writable.
    try execute(toleratesDamage ? "PRAGMA writable_schema = ON" : "PRAGMA cell_size_check = ON")
    try FullTextTokenizer.register(on: self)
    try RegexFunction.register(on: self)
    _ = wasOverwritten()
  }

  /// `held` is a name of the file that no other user can redirect, if the path is none.
  private static func open(
    _ path: String,
    held: String?,
    _ access: Access,
    _ newFileOwner: FileTrust.Owner?
  ) throws(StoreError) -> OpaquePointer {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var created: FileIdentity?
    switch access {
    case .reading: flags |= SQLITE_OPEN_READONLY
    case .immutable: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    case .writing: flags |= SQLITE_OPEN_READWRITE
    case .creating:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      created = try createPrivately(path, held: held, owner: newFileOwner)
    }
    var handle: OpaquePointer?
    let name = held ?? (access == .immutable ? immutableURI(path) : path)
    let code = sqlite3_open_v2(name, &handle, flags, access == .immutable ? nil : StoreVFS.registered)
    do throws(StoreError) {
      guard code == SQLITE_OK, let handle else {
        throw StoreError(
          sqlite: code,
          message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
          systemError: handle.map { sqlite3_system_errno($0) } ?? 0,
          path: path
        )
      }
      // In a folder of another user, the name may lead to another file by now.
      if let created, created != FileIdentity(path: held ?? path) {
        throw StoreError(code: .replaced, message: "another file was put at \(path) while newsd created it")
      }
      if held == nil { try checkLinks(handle, path) }
      return handle
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
  }

  /// Creates the file with mode 0600, because a store holds passwords and hub secrets. SQLite creates its other files
  /// with the same mode and owner, and reports a failure to create this one. Returns the identity of the new file; nil
  /// if the file exists. An existing empty file is used only if no other user can read it.
  private static func createPrivately(
    _ path: String,
    held: String?,
    owner: FileTrust.Owner?
  ) throws(StoreError) -> FileIdentity? {
    guard path != ":memory:" else { return nil }
    do {
      // No thread has opened the file with SQLite yet (`OpenFiles`), so that closing the descriptor ends no lock.
      let descriptor = try PrivateFile.create(held ?? path, owner: owner)
      defer { close(descriptor) }
      return FileIdentity(descriptor)
    } catch {
      guard error.code == EEXIST else { return nil }
      var status = stat()
      guard stat(held ?? path, &status) == 0 else {
        throw StoreError(code: .unreadable, message: "\(path) is a link to a missing file; remove the link")
      }
      if status.st_size == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid != geteuid() || status.st_mode & 0o077 != 0
      {
        throw StoreError(
          code: .unreadable,
          message: "other users can read the empty file \(path) (uid \(status.st_uid), mode "
            + "\(String(status.st_mode & 0o7777, radix: 8))); remove it, so that newsd creates a private file"
        )
      }
      return nil
    }
  }

  /// Refuses a file that root would reach by a link of a user who does not own it. Checks the opened file, because a name
  /// can change before the file is opened. SQLite reads and writes nothing before the first statement.
  private static func checkLinks(_ handle: OpaquePointer, _ path: String) throws(StoreError) {
    guard path != ":memory:", geteuid() == 0 else { return }
    if let (link, uid) = FileTrust.foreignLink(to: path) { throw .foreignLink(link, uid, to: path) }
    let opened = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path
    guard FileTrust.resolved(opened) == FileTrust.resolved(path) else {
      throw StoreError(code: .replaced, message: "another file was put at \(path) while newsd opened it")
    }
  }

  /// Refuses to copy the content of the file that was opened to `target` if it is not root's, this user's or that of `owner`.
  /// The name may lead to another file than when it was examined.
  func refuseOwner(besides other: FileTrust.Owner?, to target: String) throws(StoreError) {
    guard let owner, ![0, geteuid(), other?.uid].contains(owner.uid) else { return }
    throw .cannotCarryOwner(of: path, owner, to: target)
  }

  /// Refuses to write the content of another store into the file that was opened if another user than `other` has put it there,
  /// who would then have that content.
  func refuseReceiver(besides other: FileTrust.Owner?) throws(StoreError) {
    guard let owner, ![0, geteuid(), other?.uid].contains(owner.uid) else { return }
    throw StoreError(
      code: .unreadable,
      message:
        "\(path) belongs to uid \(owner.uid), who would get the content of the other store. Nothing was written to it; "
        + "name a new file"
    )
  }

  deinit {
    for statement in idle.statements { sqlite3_finalize(statement) }
    // The WAL stays beside the file.
    if !mayCheckpoint { _ = newsd_sqlite3_db_config_flag(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    sqlite3_close_v2(raw)
    if let file { OpenFiles.closed(file) }
  }

  /// Returns the file as a URI with `immutable=1` (SQLite, "Uniform Resource Identifiers").
  private static func immutableURI(_ path: String) -> String {
    "file:" + PercentCoding.encode(path) { !"%?#".utf8.contains($0) } + "?immutable=1"
  }

  /// Starts counting `walPages` and disables SQLite's automatic checkpoints.
  func countWALPages() {
    // SQLite calls the hook only while a statement of this connection runs, so no retain is needed.
    sqlite3_wal_hook(
      raw,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Avoids fsync at commit and at close. If the WAL exceeds `size` bytes, SQLite still checkpoints it when the last
  /// connection closes.
  func deferSync(unlessLogExceeds size: Int64) throws(StoreError) {
    try execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
    var status = stat()
    if stat(path + "-wal", &status) == 0, status.st_size > size { return }
    _ = newsd_sqlite3_db_config_flag(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Sleeps 2 ms after each failed attempt to take a lock. SQLite's own busy handler sleeps up to 100 ms, so a busy
  /// writer could starve another one.
  private func waitForLock(_ attempts: Int32) -> Bool {
    let step: Int32 = 2
    guard attempts < busyTimeout / step else { return false }
    usleep(UInt32(step) * 1000)
    return true
  }

  /// Ends the statement that runs, if any, with an error. May be called from any thread while the connection is open.
  func interrupt() { sqlite3_interrupt(raw) }

  /// Frees the pages of the file that are cached in memory. Only while no statement runs.
  func freeCachedPages() { sqlite3_db_release_memory(raw) }

  /// Returns a prepared statement, from the cache if possible.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let raw = idle.take(sql) {
      return Statement(raw, sql: sql, connection: self)
    }
    var raw: OpaquePointer?
    var sqlText = sql
    let code = sqlText.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        sqlite3_prepare_v3(
          self.raw,
          chars.baseAddress,
          Int32(chars.count),
          UInt32(SQLITE_PREPARE_PERSISTENT),
          &raw,
          nil
        )
      }
    }
    guard code == SQLITE_OK, let raw else { throw error(code) }
    return Statement(raw, sql: sql, connection: self)
  }

  /// Keeps a statement for its next use.
  fileprivate func release(_ statement: OpaquePointer, sql: String) {
    if let replaced = idle.keep(statement, sql: sql) { sqlite3_finalize(replaced) }
  }

  /// Executes statements without reading rows.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(raw, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Increments the file's commit counter. Called after a transaction made changes; see `ForeignWAL`.
  func countCommit() throws(StoreError) {
    // SQLite would continue with floating point.
    try run("UPDATE file SET commits = commits + (commits < \(Int64.max))")
  }

  /// Notes when the change log reached its last number.
  func noteChangeTime() throws(StoreError) {
    try run(
      Self.changeTimeNoting(Schema.now, number: "(SELECT value FROM counters WHERE name = 'sequence')")
    )
  }

  /// Updates the commit counter to its own value, for a transaction that changes nothing else but must write
  /// a page. `NewsStore.write` then counts the commit; counted twice, the WAL would look like that of another
  /// file (see `ForeignWAL`).
  func touch() throws(StoreError) {
    try run("UPDATE file SET commits = commits")
  }

  /// Rows inserted, changed or deleted by this connection.
  var changes: Int64 { sqlite3_total_changes64(raw) }

  /// Returns the first column of the first row as text.
  func text(_ sql: String) throws(StoreError) -> String? {
    try first(sql) { $0.optionalString(0) } ?? nil
  }

  /// Converts a result code to an error, with SQLite's message for the last call.
  func error(_ code: Int32) -> StoreError {
    StoreError(
      sqlite: code,
      message: String(cString: sqlite3_errmsg(raw)),
      systemError: sqlite3_system_errno(raw),
      path: path
    )
  }

  /// Runs `body` in a read transaction, with one consistent view of the store.
  func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try transaction(beginning: "BEGIN", body)
  }

  /// Runs `body` in a write transaction. Acquires the write lock first, so that `body` cannot fail halfway for lack of
  /// it.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try transaction(beginning: "BEGIN IMMEDIATE", body)
  }

  private func transaction<Result>(
    beginning: String,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try execute(beginning)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has already rolled back after some errors, such as a full disk.
      if sqlite3_get_autocommit(raw) == 0 { sqlite3_exec(raw, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }
}

/// A prepared statement. It is reset and returned to its connection's cache at the end of its scope.
struct Statement: ~Copyable, StoreRow {
  private let raw: OpaquePointer
  private let sql: String
  private let connection: Connection

  fileprivate init(_ raw: OpaquePointer, sql: String, connection: Connection) {
    self.raw = raw
    self.sql = sql
    self.connection = connection
  }

  deinit {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    connection.release(raw, sql: sql)
  }

  /// Returns true if a row is available.
  func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(raw)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw connection.error(code) }
    return false
  }

  /// Runs the statement with one more text, which SQLite reads in place. A copy of every item's text would cost time
  /// and memory.
  func run(borrowing text: String, at index: Int32) throws(StoreError) {
    var text = text
    let error = text.withUTF8 { failure(running: UnsafeRawBufferPointer($0), at: index) }
    if let error { throw error }
  }

  /// Runs the statement with tokens for the full-text index, which SQLite reads in place.
  func run(borrowing tokens: TokenStream, at index: Int32) throws(StoreError) {
    let error = tokens.bytes.withUnsafeBytes { failure(running: $0, at: index) }
    if let error { throw error }
  }

  /// Runs the statement while `bytes` is valid, and unbinds the bytes. Returns an error instead of throwing it, because
  /// the closures of the callers cannot throw typed errors.
  private func failure(running bytes: UnsafeRawBufferPointer, at index: Int32) -> StoreError? {
    do throws(StoreError) {
      guard let start = bytes.baseAddress else {
        try bind(index, "")
        try run()
        return nil
      }
      let text = start.assumingMemoryBound(to: CChar.self)
      // A null destructor is SQLITE_STATIC: the bytes outlive the run.
      try check(sqlite3_bind_text64(raw, index, text, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
      defer {
        // A statement that failed must be reset before it can be unbound.
        sqlite3_reset(raw)
        sqlite3_bind_null(raw, index)
      }
      try run()
      return nil
    } catch {
      return error
    }
  }

  /// Steps through all rows and resets the statement.
  func run() throws(StoreError) {
    while try step() {}
    sqlite3_reset(raw)
  }

  func reset() {
    sqlite3_reset(raw)
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  // MARK: Parameters, 1-based

  func bind(_ index: Int32, _ value: Int64?) throws(StoreError) {
    guard let value else { return try check(sqlite3_bind_null(raw, index)) }
    try check(sqlite3_bind_int64(raw, index, value))
  }

  func bind(_ index: Int32, _ value: Bool) throws(StoreError) {
    try check(sqlite3_bind_int64(raw, index, value ? 1 : 0))
  }

  func bind(_ index: Int32, _ value: Timestamp?) throws(StoreError) {
    try bind(index, value?.seconds)
  }

  func bind(_ index: Int32, _ value: String?) throws(StoreError) {
    guard var value else { return try check(sqlite3_bind_null(raw, index)) }
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        // A null pointer would bind NULL instead of an empty text.
        guard let start = chars.baseAddress else {
          return sqlite3_bind_text(raw, index, "", 0, newsd_sqlite3_transient())
        }
        return sqlite3_bind_text64(
          raw,
          index,
          start,
          UInt64(chars.count),
          newsd_sqlite3_transient(),
          UInt8(SQLITE_UTF8)
        )
      }
    }
    try check(code)
  }

  /// Binds tokens for the full-text index; its tokenizer decodes them.
  func bind(_ index: Int32, _ tokens: TokenStream) throws(StoreError) {
    let code = tokens.bytes.withUnsafeBytes { bytes in
      sqlite3_bind_text64(
        raw,
        index,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count),
        newsd_sqlite3_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
    try check(code)
  }

  func bind(_ index: Int32, _ value: StoreValue) throws(StoreError) {
    switch value {
    case .null: try check(sqlite3_bind_null(raw, index))
    case .integer(let number): try bind(index, number)
    case .text(let text): try bind(index, text)
    case .bytes(let bytes): try bind(index, blob: bytes)
    case .integers(let numbers):
      try bind(index, "[" + numbers.map(String.init).joined(separator: ",") + "]")
    }
  }

  /// Binds bytes as text, even if they are ill-formed.
  func bind(_ index: Int32, text: [UInt8]) throws(StoreError) {
    let code = text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_text(raw, index, "", 0, newsd_sqlite3_transient())
      }
      return sqlite3_bind_text64(
        raw,
        index,
        start.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count),
        newsd_sqlite3_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
    try check(code)
  }

  func bind(_ index: Int32, blob: [UInt8]?) throws(StoreError) {
    guard let blob else { return try check(sqlite3_bind_null(raw, index)) }
    let code = blob.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(raw, index, 0) }
      return sqlite3_bind_blob64(raw, index, start, UInt64(bytes.count), newsd_sqlite3_transient())
    }
    try check(code)
  }

  /// Binds `$1`, `$2`, … by name, because SQLite numbers them in the order of their first occurrence in the text.
  func bind(_ values: [StoreValue]) throws(StoreError) {
    for (place, value) in values.enumerated() {
      let index = index(ofParameter: place + 1)
      if index > 0 { try bind(index, value) }
    }
  }

  /// Returns the index of `$number`; 0 if the statement has no such parameter. In most statements, the indexes equal the
  /// numbers.
  private func index(ofParameter number: Int) -> Int32 {
    if let name = sqlite3_bind_parameter_name(raw, Int32(number)), strtol(name + 1, nil, 10) == number {
      return Int32(number)
    }
    return sqlite3_bind_parameter_index(raw, "$\(number)")
  }

  // MARK: Columns, 0-based

  var columnNames: [String] {
    (0..<sqlite3_column_count(raw)).map { sqlite3_column_name(raw, $0).map { String(cString: $0) } ?? "" }
  }

  /// The row of the last step.
  var row: CurrentRow { CurrentRow(raw) }

  func isNull(_ column: Int32) -> Bool { row.isNull(column) }

  func isInteger(_ column: Int32) -> Bool { row.isInteger(column) }

  func int64(_ column: Int32) -> Int64 { row.int64(column) }

  func optionalString(_ column: Int32) -> String? { row.optionalString(column) }

  func bytes(_ column: Int32) -> [UInt8] { row.bytes(column) }

  /// Returns a column as it is stored, for a copy.
  func value(_ column: Int32) -> StoreValue {
    switch sqlite3_column_type(raw, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(int64(column))
    case SQLITE_TEXT: .text(string(column))
    default: .bytes(bytes(column))
    }
  }

  /// Passes the bytes of a text or blob to `body`. They are valid until the next step.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(raw, column)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
  }
}

/// The row that a statement has read last; valid until its next step.
package struct CurrentRow: StoreRow {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  /// The bytes of all texts and blobs.
  var size: Int64 {
    (0..<sqlite3_column_count(raw)).reduce(0) { sum, column in
      let type = sqlite3_column_type(raw, column)
      return type == SQLITE_TEXT || type == SQLITE_BLOB ? sum + Int64(sqlite3_column_bytes(raw, column)) : sum
    }
  }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  package func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_INTEGER }

  package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  package func optionalString(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(raw, column) else { return nil }
    let count = Int(sqlite3_column_bytes(raw, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(raw, column)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
  }
}

import Glibc
import Modules
public import NewsCore
import NewsPostgres
import NewsSQLite
import NewsToolbox

/// An opened store, with what only its kind has.
struct OpenedStore: Sendable {
  let ports: any StorePorts
  let media: any MediaKeeping
  let upgrading: any StoreUpgrading
  let close: @Sendable () async -> Void
  /// Frees the caches of the store.
  let freeMemory: @Sendable () async -> Void
  /// What a store on a server has, which several machines can share; nil for a file.
  var shared: Shared?

  struct Shared: Sendable {
    /// The lease of this process, as a node of the store or of several stores.
    let node: NodeLease
    /// What this process has claimed in the store.
    let claims: NodeClaims
    /// A number that changes when a process announces a change of the store; nil: the server does not pass them on.
    let announcements: @Sendable () -> Int?
    let sites: any SiteSharing
    let nodes: any NodeListing
    let figures: @Sendable () async -> StoreFigures?
  }

  init(_ store: NewsStore) {
    ports = store
    let file = MediaFile(besides: store.path)
    media = file
    upgrading = store
    close = { await store.close() }
    freeMemory = {
      await store.freeMemory()
      await file.closeUnlessUsed()
    }
  }

  init(_ store: PostgresStore) {
    ports = store
    media = store
    upgrading = store
    close = { await store.close() }
    freeMemory = {}
    shared = Shared(
      node: store.node,
      claims: store.claims,
      announcements: { store.announcements },
      sites: store.sites,
      nodes: store,
      figures: { await store.figures() }
    )
  }
}

/// Where a store is: in a file, or on a PostgreSQL server.
enum StorePlace {
  case file(String)
  case server(String)

  /// - Parameter address: The path of a file or the address of a server.
  init(_ address: String) { self = StoreURI.isStoreURI(address) ? .server(address) : .file(address) }

  /// Number of processes of one machine that may poll the store.
  var daemonCount: Int {
    switch self {
    case .file: 1
    case .server: 64
    }
  }

  /// Removes what a killed restore has left beside the file.
  func removeLeftovers() {
    if case .file(let path) = self { NewsStore.removeLeftovers(besides: path) }
  }

  /// Makes an upgraded copy of a file of an earlier layout, in `$TMPDIR`; nil for other stores.
  func upgradedCopy() throws(StoreError) -> UpgradedCopy? {
    guard case .file(let path) = self else { return nil }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return try NewsStore.upgradedCopy(of: path, in: "\(folder)/newsd-upgrade", isUnguessable: true)
  }

  /// Opens a store that a command names in addition to the one it works on.
  func open(mustExist: Bool) throws(StoreError) -> OpenedStore {
    switch self {
    case .server(let address): return OpenedStore(try Self.store(on: address, mustExist: mustExist))
    case .file(let path):
      var status = stat()
      guard !mustExist || stat(path, &status) == 0 else {
        throw StoreError(code: .missing, message: "there is no store \(path)")
      }
      return OpenedStore(try NewsStore(path: path))
    }
  }

  /// Opens the source of a copy, which must belong to the same user as when the copy's owner was found. If the copy becomes the
  /// store of an account, the source has only newsd's tables.
  func open(forCopyTo target: StorePlace, becomesAccount: Bool = false) throws(StoreError) -> OpenedStore {
    guard case .file(let path) = self else { return try open(mustExist: true) }
    guard access(path, F_OK) == 0 else { return try open(mustExist: true) }
    let copy = NewsStore.Options.Copy(
      to: target.storeName,
      owner: try NewsStore.owner(of: path),
      becomesAccount: becomesAccount
    )
    return OpenedStore(try NewsStore(path: path, options: NewsStore.Options(copy: copy)))
  }

  /// Opens the target of a copy. The copy of another user's store must belong to that user: its feeds must not run
  /// programs or read files with the rights of the user who copies.
  func open(asCopyOf source: StorePlace) throws(StoreError) -> OpenedStore {
    var owner: FileTrust.Owner?
    if case .file(let from) = source { owner = try NewsStore.owner(of: from) }
    guard case .file(let path) = self else {
      if let owner { throw .cannotCarryOwner(of: source.storeName, owner, to: storeName) }
      return try open(mustExist: false)
    }
    if let owner {
      guard geteuid() == 0, access(path, F_OK) != 0 || FileTrust.otherOwner(of: path)?.uid == owner.uid
      else { throw .cannotCarryOwner(of: source.storeName, owner, to: storeName) }
    }
    let options = NewsStore.Options(newFileOwner: owner, receivesCopy: true)
    return OpenedStore(try NewsStore(path: path, options: options))
  }

  private var storeName: String {
    switch self {
    case .file(let path): path
    case .server(let address): StoreURI.redacted(address)
    }
  }

  /// Opens the store of the settings. `clock` follows that of a server; nil: none does. `server` is what accounts
  /// share; nil: a store on a server shares nothing. `isOneOfMany`: the process works on the stores of other accounts, too.
  func open(
    _ settings: Settings,
    version: String,
    clock: NodeClock?,
    server: AccountServer?,
    isOneOfMany: Bool
  ) throws(StoreError) -> OpenedStore {
    switch self {
    case .server(let address):
      return OpenedStore(
        try Self.store(
          on: address,
          mustExist: settings.storeMustExist,
          node: settings.nodeName ?? Self.machineName,
          version: version,
          clock: clock,
          server: server
        )
      )
    case .file(let path):
      if settings.storeMustExist { try Self.requireStore(path, settings.missingStoreAdvice) }
      let report: @Sendable (String) -> Void = { line in
        let bytes = Array("newsd: \(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
      }
      if let note = settings.storeNote { report(note) }
      return OpenedStore(
        try NewsStore(
          path: path,
          options: NewsStore.Options(givesUpRights: true),
          turns: isOneOfMany ? makeReadingTurns() : nil,
          notice: report
        )
      )
    }
  }

  private static func requireStore(_ path: String, _ hint: String) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw StoreError(code: .unreadable, message: "cannot examine \(path): \(SystemError.last.reason)")
      }
      throw StoreError(code: .missing, message: "there is no store \(path). \(hint)")
    }
    // Reject an empty file: creating a store in it would hide the loss of the file's content.
    guard status.st_size > 0 else {
      throw StoreError(code: .missing, message: "\(path) is an empty file, not a store. \(hint)")
    }
  }

  private static func store(
    on address: String,
    mustExist: Bool,
    node: String = "newsd",
    version: String = "",
    clock: NodeClock? = nil,
    server: AccountServer? = nil
  ) throws(StoreError) -> PostgresStore {
    PostgresStore(
      try StoreURI(address),
      pool: server?.pool,
      lease: server?.shared.node,
      mustExist: mustExist,
      node: node,
      version: version,
      clock: clock
    ) {
      (source, path) throws(StoreError) in
      try await writeBackup(of: source, to: path)
    }
  }

  /// Writes the content of a store to a new file.
  private static func writeBackup(of source: any StoreExporting, to path: String) async throws(StoreError) {
    do {
      try await NewsStore.make(at: path) { _ = try await StoreCopy().copy(from: source, to: $0) }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(code: .unreadable, message: "cannot write \(path): \(error)")
    }
  }

  static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "newsd" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Measures the store of an account, with its quota.
struct AccountStoreMeasure: StoreFileMeasuring {
  let other: any StoreFileMeasuring
  let store: @Sendable () -> (any QuotaKeeping)?

  func figures() async -> StoreFigures? {
    guard var figures = await other.figures() else { return nil }
    if let quota = try? await store()?.quota(), quota.isSet { figures.quota = quota }
    return figures
  }

  func runningDaemon() async -> DaemonPresence? { await other.runningDaemon() }
}

/// Measures a store on a server. The lock files of this machine have the process of a daemon of this user; any other is known
/// by its heartbeat.
struct SharedStoreMeasure: StoreFileMeasuring {
  let files: any StoreFileMeasuring
  let store: @Sendable () -> OpenedStore.Shared?

  func figures() async -> StoreFigures? { await store()?.figures() }

  func runningDaemon() async -> DaemonPresence? {
    if let daemon = await files.runningDaemon() { return daemon }
    guard let node = try? await store()?.nodes.nodes().first else { return nil }
    return DaemonPresence(pid: nil, started: node.since)
  }
}

extension Settings {
  /// The path of the store's file if there is none yet: the daemon then makes an empty store. Nil: the store is there, or on a
  /// server. Throws if files of a former store lie beside the path.
  public func pathOfNewStore() throws(StoreError) -> String? {
    guard case .file(let path) = StorePlace(store), try NewsStore.isMissing(path) else { return nil }
    return path
  }
}

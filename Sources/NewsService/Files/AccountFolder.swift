import Glibc
public import NewsCore
import NewsToolbox

/// The accounts in a folder: each file `NAME.db` is the store of the account NAME. `NAME.disabled` beside it means that
/// the account is disabled.
public struct AccountFolder: AccountKeeping {
  private let path: String

  private static let store = ".db"
  private static let mark = ".disabled"
  /// The folder for stores of removed accounts.
  private static let removed = "removed"

  public init(path: String) { self.path = path }

  /// The user whose files the stores must be. Root works for the owner of the folder.
  private var user: UInt32 { geteuid() == 0 ? FileTrust.otherOwner(of: path)?.uid ?? 0 : geteuid() }

  public var place: String { path }

  /// Returns all accounts, sorted by name; none if the folder does not exist yet.
  public func accounts() throws(FileError) -> [Account] {
    try access(path, F_OK) == 0 || errno != ENOENT ? presentAccounts() : []
  }

  /// The same, but throws if the folder does not exist.
  public func presentAccounts() throws(FileError) -> [Account] {
    let place = reachable
    let names = try BackupFolder(path: place).names()
    let user = user
    let marks = Set(names.filter { $0.hasSuffix(bytesOf: Self.mark) })
    let drafts = Dictionary(grouping: names.filter { $0.hasPrefix(bytesOf: ".") }) {
      Draft($0)?.account ?? ""
    }
    return names.filter { $0.hasSuffix(bytesOf: Self.store) && !$0.hasPrefix(bytesOf: ".") }
      .map { String(decoding: $0.utf8.dropLast(Self.store.utf8.count), as: UTF8.self) }.sorted()
      .map { name in
        let store = "\(place)/\(name)\(Self.store)"
        let isDisabled = marks.contains(name + Self.mark)
        let own = (drafts[name] ?? []).map { "\(place)/\($0)" }
        let state = Self.problem(of: name, store, own, user).map { Account.State.unusable($0) }
        return Account(name: name, store: store, state: state ?? (isDisabled ? .disabled : .active))
      }
  }

  /// Why the file must not be opened; nil: it may. `drafts` may be second names of the store, while it is made or if
  /// `accounts add` was killed.
  private static func problem(
    of name: String,
    _ store: String,
    _ drafts: [String],
    _ user: UInt32
  ) -> String? {
    guard Account.isName(name) else { return "the name \(Account.nameRule)" }
    // Before the store, because a draft may be removed meanwhile.
    let made = drafts.compactMap { path -> stat? in
      var status = stat()
      return lstat(path, &status) == 0 ? status : nil
    }
    var status = stat()
    guard lstat(store, &status) == 0 else { return "cannot examine \(store): \(SystemError.last.reason)" }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: return "\(store) is a symbolic link; put the store itself there"
    default: return "\(store) is not a regular file"
    }
    let names = 1 + made.count { $0.st_ino == status.st_ino && $0.st_dev == status.st_dev }
    guard Int(status.st_nlink) <= names else {
      return "\(store) has a second name (hard link); remove one of them"
    }
    guard status.st_size > 0 else { return "\(store) is an empty file, not a store" }
    return FileTrust.finding(ofDatabase: store, user: user)?.reason
  }

  /// The name under which a process makes the store of a new account, or that of a journal or a work folder beside it.
  private struct Draft {
    let account: String
    let process: pid_t
    private static let partial = ".partial"

    /// Nil if the file is none.
    init?(_ file: String) {
      let draft = file.hasSuffix(bytesOf: Self.partial) ? String(file.dropLast(Self.partial.count)) : file
      guard draft.hasPrefix(bytesOf: "."), let (name, rest) = draft.slice(1...).cut(atLast: "."),
        let process = pid_t(rest.cut(atFirst: "-")?.before ?? rest), process > 0, Account.isName(String(name))
      else { return nil }
      account = String(name)
      self.process = process
    }

    var isLeft: Bool { kill(process, 0) != 0 && errno == ESRCH }
  }

  /// Removes what killed processes have left.
  private func removeDrafts(in place: String) throws(FileError) {
    for name in try BackupFolder(path: place).names() where Draft(name)?.isLeft == true {
      if unlink("\(place)/\(name)") != 0 { WorkFolder.removeLeft("\(place)/\(name)") }
    }
  }

  private func storePath(_ name: String) -> String { "\(path)/\(name)\(Self.store)" }

  public func add(_ name: String, fill: @Sendable (_ path: String) async throws -> Void) async throws {
    FileFolders.create(path, isShared: true)
    guard geteuid() == 0, FileTrust.otherOwner(of: path) != nil else {
      return try await add(name, in: path) { draft in
        unlink(draft)
        try await fill(draft)
      }
    }
    let file = try await made(by: fill)
    defer { close(file) }
    try takeRights()
    try await add(name, in: reachable) { draft in try Self.copy(file, to: draft) }
  }

  private func add(_ name: String, in place: String, make: (_ draft: String) async throws -> Void)
    async throws
  {
    // The name of an account does not begin with a dot, so newsd opens no store that is incomplete.
    let draft = "\(place)/.\(name).\(getpid())"
    try removeDrafts(in: place)
    defer { unlink(draft) }
    try await make(draft)
    guard link(draft, "\(place)/\(name)\(Self.store)") == 0 else {
      throw Self.failure("create", storePath(name))
    }
  }

  /// Makes a store in a folder of root's own. Returns the descriptor of the file, which has no name any more.
  private func made(by fill: (_ path: String) async throws -> Void) async throws -> Int32 {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let work: WorkFolder
    do {
      work = try WorkFolder(unguessable: place + "/newsd-account")
    } catch {
      throw FileError(code: .cannotOpen, message: "cannot create a folder in \(place): \(error.reason)")
    }
    defer { work.remove() }
    let store = work.file("store.db")
    try await fill(store)
    let file = open(store, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure("open", store) }
    return file
  }

  private static func copy(_ file: Int32, to path: String) throws(FileError) {
    let target = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure("create", path) }
    defer { close(target) }
    while true {
      let count = sendfile(target, file, nil, 1 << 20)
      if count > 0 || count < 0 && errno == EINTR { continue }
      guard count == 0, fsync(target) == 0 else { throw failure("write", path) }
      return
    }
  }

  private static func failure(_ verb: String, _ path: String) -> FileError {
    FileError(code: .cannotOpen, message: "cannot \(verb) \(path): \(SystemError.last.reason)")
  }

  /// A name of the folder that this process can reach: systemd keeps the folders of services in `/var/lib/private`, which only
  /// root may enter, and root may have taken the rights of the folder's owner.
  private var reachable: String {
    // Not access(2), which asks for the rights that root has given up.
    var status = stat()
    return stat(path, &status) == 0 ? path : ((try? HeldFolders.folder(at: path)) ?? nil) ?? path
  }

  /// Another user can put other files under the names in a folder of theirs. What root does there is therefore done with
  /// the rights of that user.
  private func takeRights() throws(FileError) {
    do {
      _ = try? HeldFolders.folder(at: path, always: true)
      try OwnerRights.take(ofDatabase: path + "/accounts")
    } catch {
      throw FileError(code: .cannotOpen, message: "\(path) is not changed: \(error.reason)")
    }
  }

  public func setDisabled(_ isDisabled: Bool, _ account: Account) throws(FileError) {
    try takeRights()
    let name = account.name + Self.mark
    let mark = "\(reachable)/\(name)"
    guard isDisabled else {
      guard unlink(mark) == 0 || errno == ENOENT else { throw Self.failure("remove", "\(path)/\(name)") }
      return
    }
    let file = open(mark, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("create", "\(path)/\(name)") }
    close(file)
  }

  public func setAside(_ account: Account, at time: Timestamp) throws(FileError) -> String {
    try takeRights()
    let place = reachable
    let digits = time.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let folder = "\(Self.removed)/\(account.name)-\(String(decoding: digits, as: UTF8.self))"
    mkdir("\(place)/\(Self.removed)", 0o700)
    guard mkdir("\(place)/\(folder)", 0o700) == 0 else { throw Self.failure("create", "\(path)/\(folder)") }
    // With its journals and what else belongs to it: its newest changes may be in there. The store first, so that a
    // daemon gives it up.
    let store = account.name + Self.store
    for name in try [store] + Self.others(BackupFolder(path: place).names(), of: store) {
      let isMoved = rename("\(place)/\(name)", "\(place)/\(folder)/\(name)") == 0
      guard isMoved || errno == ENOENT && name != store else { throw Self.failure("move", "\(path)/\(name)") }
    }
    unlink("\(place)/\(account.name)\(Self.mark)")
    return "\(path)/\(folder)/\(store)"
  }

  /// Returns what belongs to a store, besides the store. The name of another account may begin with that of the store.
  private static func others(_ names: [String], of store: String) -> [String] {
    let found = names.filter { $0 != store && $0.hasPrefix(bytesOf: store) }
    let foreign = found.filter { $0.hasSuffix(bytesOf: Self.store) }
    let marks = foreign.map {
      String(decoding: $0.utf8.dropLast(Self.store.utf8.count), as: UTF8.self) + mark
    }
    return found.filter { name in !foreign.contains { name.hasPrefix(bytesOf: $0) } && !marks.contains(name) }
  }
}

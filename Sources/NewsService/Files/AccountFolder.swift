import Glibc
public import NewsCore
public import NewsToolbox

/// The accounts in a folder: each file `NAME.db` is the store of the account NAME. `NAME.disabled` beside it means that
/// the account is disabled.
public struct AccountFolder: AccountKeeping {
  public let path: String
  /// The user whose files the stores must be. Root works for the owner of the folder.
  private let user: UInt32

  private static let store = ".db"
  private static let mark = ".disabled"
  /// The folder for stores of removed accounts.
  private static let removed = "removed"
  /// What newsd and SQLite append to the path of a store.
  private static let companions = ["-wal", "-shm", ".media", ".media-wal", ".media-shm", ".lock", ".claims"]

  public init(path: String) {
    self.path = path
    user = geteuid() == 0 ? FileTrust.otherOwner(of: path)?.uid ?? 0 : geteuid()
  }

  /// The owner of new stores if that is not this user.
  public var owner: FileTrust.Owner? { geteuid() == 0 ? FileTrust.otherOwner(of: path) : nil }

  /// Returns all accounts, sorted by name; none if the folder does not exist yet.
  public func accounts() throws(FileError) -> [Account] {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return [] }
    let names = try BackupFolder(path: path).names()
    return names.filter { $0.hasSuffix(bytesOf: Self.store) && !$0.hasPrefix(bytesOf: ".") }
      .map { String(decoding: $0.utf8.dropLast(Self.store.utf8.count), as: UTF8.self) }.sorted()
      .map { name in
        let store = storePath(name)
        let isDisabled = names.contains(name + Self.mark)
        let state = Self.problem(of: name, store, user).map { Account.State.unusable($0) }
        return Account(name: name, store: store, state: state ?? (isDisabled ? .disabled : .active))
      }
  }

  /// Why the file must not be opened; nil: it may.
  private static func problem(of name: String, _ store: String, _ user: UInt32) -> String? {
    guard Account.isName(name) else { return "the name \(Account.nameRule)" }
    var status = stat()
    guard lstat(store, &status) == 0 else { return "cannot examine \(store): \(SystemError.last.reason)" }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: return "\(store) is a symbolic link; put the store itself there"
    default: return "\(store) is not a regular file"
    }
    guard status.st_nlink == 1 else { return "\(store) has a second name (hard link); remove one of them" }
    guard status.st_size > 0 else { return "\(store) is an empty file, not a store" }
    return FileTrust.finding(ofDatabase: store, user: user)?.reason
  }

  private func storePath(_ name: String) -> String { "\(path)/\(name)\(Self.store)" }

  public func add(_ name: String, fill: @Sendable (_ path: String) async throws -> Void) async throws {
    let store = storePath(name)
    // The name of an account does not begin with a dot, so newsd opens no store that is incomplete.
    let draft = "\(path)/.\(name).\(getpid())"
    FileFolders.create(path)
    Self.remove(draft)
    defer { Self.remove(draft) }
    try await fill(draft)
    if let owner { chown(draft, owner.uid, owner.gid) }
    chmod(draft, 0o600)
    guard link(draft, store) == 0 else {
      throw FileError(code: .cannotOpen, message: "cannot create \(store): \(SystemError.last.reason)")
    }
  }

  /// Removes a store and its companions.
  private static func remove(_ store: String) {
    for ending in [""] + companions { unlink(store + ending) }
  }

  public func setDisabled(_ isDisabled: Bool, _ account: Account) throws(FileError) {
    let mark = "\(path)/\(account.name)\(Self.mark)"
    guard isDisabled else {
      guard unlink(mark) == 0 || errno == ENOENT else {
        throw FileError(code: .io, message: "cannot remove \(mark): \(SystemError.last.reason)")
      }
      return
    }
    let file = open(mark, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw FileError(code: .cannotOpen, message: "cannot create \(mark): \(SystemError.last.reason)")
    }
    if let owner { fchown(file, owner.uid, owner.gid) }
    close(file)
  }

  public func setAside(_ account: Account, at time: Timestamp) throws(FileError) -> String {
    let folder = "\(path)/\(Self.removed)"
    mkdir(folder, 0o700)
    if let owner { lchown(folder, owner.uid, owner.gid) }
    let digits = time.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let target = "\(folder)/\(account.name)-\(String(decoding: digits, as: UTF8.self))\(Self.store)"
    guard access(target, F_OK) != 0, rename(account.store, target) == 0 else {
      throw FileError(
        code: .io,
        message: "cannot move \(account.store) to \(target): \(SystemError.last.reason)"
      )
    }
    for ending in Self.companions { rename(account.store + ending, target + ending) }
    unlink("\(path)/\(account.name)\(Self.mark)")
    return target
  }
}

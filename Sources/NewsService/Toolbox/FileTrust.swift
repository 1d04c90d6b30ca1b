import Glibc

/// Says whether other users can change a database, so that its content must not use this user's rights.
///
/// Root and the user of this process are trusted. A group with the number of the file's owner is the owner's private
/// group, as distributions create it.
public enum FileTrust {
  /// Another user who can change the database.
  public struct Finding: Hashable, Sendable {
    /// Owner and group of the foreign file; nil if its mode lets other users write.
    public let owner: Owner?
    /// For messages: "the folder /srv/news belongs to uid 1000".
    public let reason: String
  }

  public struct Owner: Hashable, Sendable {
    public let uid: UInt32
    public let gid: UInt32

    public init(uid: UInt32, gid: UInt32) {
      self.uid = uid
      self.gid = gid
    }
  }

  /// The owner of a database's content cannot be told.
  public struct UnknownOwner: Error {
    /// For messages.
    public let reason: String
  }

  /// The files that SQLite applies to a database.
  private static let logs = ["-wal", "-journal", "-shm"]

  /// Returns who else can change the database at `path`: by the file, its logs, a symbolic link of the path, or a
  /// folder in which a name can be replaced. If the file is missing, returns who else can put one there. Nil if no other
  /// user can.
  /// `user` replaces the user of this process.
  public static func finding(ofDatabase path: String, user: UInt32? = nil) -> Finding? {
    let user = user ?? geteuid()
    var finding: Finding?
    var shared: Step?
    walk(path) { step in
      finding = judge(step.status, step.what, step.path, user)
      guard finding == nil, step.kind == S_IFREG else {
        if step.kind == S_IFDIR { shared = isWritableByOthers(step.status) ? step : nil }
        return finding == nil
      }
      shared = nil
      for log in logs {
        guard let status = Self.status(step.path + log) else { continue }
        finding = finding ?? judge(status, "file", step.path + log, user)
      }
      return false
    }
    // In a sticky folder, the owner of a file may have removed it while newsd uses it.
    return finding
      ?? shared.map {
        Finding(
          owner: nil,
          reason: "the file \(path) is missing in the folder \($0.path), to which other users can write"
        )
      }
  }

  /// Returns the first other user who can put another file at the path of a database or beside it. Ignores a file of
  /// another user if only this user can change its folder, because no other user can then replace it.
  public static func finding(ofNames path: String) -> Finding? {
    var finding: Finding?
    var isShared = false
    var last: Step?
    walk(path) { step in
      // The owner of a file may rename it in a sticky folder.
      if step.kind != S_IFREG || isShared {
        finding = judge(step.status, step.what, step.path, geteuid())
      }
      isShared = step.kind == S_IFDIR && isWritableByOthers(step.status)
      last = step
      return finding == nil
    }
    // In a sticky folder, the owner of a folder may have moved it away for a moment.
    guard finding == nil, isShared, let last, !hasFolder(path) else { return finding }
    return Finding(
      owner: nil,
      reason: "a folder of \(path) is missing in \(last.path), to which other users can write"
    )
  }

  private static func hasFolder(_ path: String) -> Bool {
    let folder = path.cut(atLast: "/").map { $0.before.isEmpty ? "/" : String($0.before) } ?? "."
    var found = stat()
    return stat(folder, &found) == 0
  }

  /// Returns a symbolic link of another user on the way to a file that is not that user's, and the link's owner. Root
  /// must not follow it: it would give the content of the file to the link's owner, who may not read it.
  public static func foreignLink(to path: String) -> (path: String, uid: UInt32)? {
    var links: [(path: String, uid: UInt32)] = []
    var owner: UInt32?
    walk(path) { step in
      if step.kind == S_IFLNK, ![0, geteuid()].contains(step.status.st_uid) {
        links.append((step.path, step.status.st_uid))
      }
      if step.kind == S_IFREG { owner = step.status.st_uid }
      return true
    }
    return owner.flatMap { owner in links.first { $0.uid != owner } }
  }

  /// Returns the absolute path of a file without links; nil if the file is missing.
  public static func resolved(_ path: String) -> String? {
    var file: String?
    walk(path) { step in
      if step.kind == S_IFREG { file = step.path }
      return true
    }
    return file
  }

  /// A folder, a symbolic link, or the file at the end of a path.
  private struct Step {
    var path: String
    var status: stat

    /// `S_IFDIR`, `S_IFLNK`, or `S_IFREG` for a file of any other kind.
    var kind: mode_t {
      let kind = status.st_mode & S_IFMT
      return kind == S_IFDIR || kind == S_IFLNK ? kind : S_IFREG
    }

    var what: String { kind == S_IFDIR ? "folder" : kind == S_IFLNK ? "link" : "file" }
  }

  /// Visits what the system passes on the way to a file, from the root folder on, until `visit` returns false.
  private static func walk(_ path: String, visit: (Step) -> Bool) {
    let absolute = path.hasPrefix(bytesOf: "/") ? path : "\(FileFolders.current)/\(path)"
    var rest = Array(absolute.split(ascii: "/").reversed())
    var place = ""
    var links = 0
    while true {
      let folder = place.isEmpty ? "/" : place
      guard let status = Self.status(folder), visit(Step(path: folder, status: status)) else { return }
      guard let name = rest.popLast() else { return }
      if name == "." { continue }
      if name == ".." {
        place = place.cut(atLast: "/").map { String($0.before) } ?? ""
        continue
      }
      let next = "\(place)/\(name)"
      guard let found = Self.status(next) else { return }
      let step = Step(path: next, status: found)
      switch step.kind {
      case S_IFDIR: place = next
      case S_IFLNK:
        links += 1
        guard visit(step), links <= 40, let target = FileFolders.target(ofLink: next) else { return }
        if target.hasPrefix(bytesOf: "/") { place = "" }
        rest += target.split(ascii: "/").reversed()
      default:
        _ = visit(step)
        return
      }
    }
  }

  /// Returns the other user to whom a copy of the database must belong, because its content is that user's. Throws for root
  /// if the content may be of several users.
  public static func owner(ofDatabase path: String) throws(UnknownOwner) -> Owner? {
    if let owner = otherOwner(of: path) { return owner }
    guard geteuid() == 0, let finding = finding(ofDatabase: path) else { return nil }
    guard let owner = finding.owner else { throw UnknownOwner(reason: finding.reason) }
    return owner
  }

  /// Returns the owner of a file or folder unless it is root or the user of this process.
  public static func otherOwner(of path: String) -> Owner? {
    var found = stat()
    guard stat(path, &found) == 0, ![0, geteuid()].contains(found.st_uid) else { return nil }
    return Owner(uid: found.st_uid, gid: found.st_gid)
  }

  /// Returns a log that another user has put beside the database, and its owner. SQLite would write the log's content
  /// into the file. The file's owner may write logs, and so may others if the file's mode lets them write.
  public static func foreignLog(ofDatabase path: String) -> (path: String, uid: UInt32)? {
    var found = stat()
    let exists = stat(path, &found) == 0
    if exists, isWritableByOthers(found) { return nil }
    let users = [0, geteuid(), exists ? found.st_uid : 0]
    // SQLite puts the logs beside the target of a link.
    var place = path
    if let resolved = realpath(path, nil) {
      place = String(cString: resolved)
      free(resolved)
    }
    for log in logs {
      if let status = status(place + log), !users.contains(status.st_uid) {
        return (place + log, status.st_uid)
      }
    }
    return nil
  }

  static func judge(_ status: stat, _ what: String, _ path: String, _ user: UInt32) -> Finding? {
    guard [0, user].contains(status.st_uid) else {
      return Finding(
        owner: Owner(uid: status.st_uid, gid: status.st_gid),
        reason: "the \(what) \(path) belongs to uid \(status.st_uid)"
      )
    }
    guard status.st_mode & S_IFMT != S_IFLNK, isWritableByOthers(status) else { return nil }
    // In a sticky folder, other users cannot replace a file.
    if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX != 0 { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return Finding(owner: nil, reason: "other users can write to the \(what) \(path) (mode \(mode))")
  }

  static func isWritableByOthers(_ status: stat) -> Bool {
    isWritableByOthers(mode: status.st_mode, uid: status.st_uid, gid: status.st_gid)
  }

  /// True if the mode of a file or folder lets other users than its owner write.
  public static func isWritableByOthers(mode: UInt32, uid: UInt32, gid: UInt32) -> Bool {
    mode & 0o002 != 0 || mode & 0o020 != 0 && gid != uid
  }

  private static func status(_ path: String) -> stat? {
    var found = stat()
    return lstat(path, &found) == 0 ? found : nil
  }
}

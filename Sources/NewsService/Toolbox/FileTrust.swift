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

  /// The files that SQLite applies to a database.
  private static let logs = ["-wal", "-journal", "-shm"]

  /// Returns who else can change the database at `path`: by the file, its logs, a symbolic link of the path, or a
  /// folder in which a name can be replaced. Nil if no other user can, or the file is missing.
  /// `user` replaces the user of this process.
  public static func finding(ofDatabase path: String, user: UInt32? = nil) -> Finding? {
    let user = user ?? geteuid()
    let absolute = path.hasPrefix(bytesOf: "/") ? path : "\(FileFolders.current)/\(path)"
    var rest = Array(absolute.split(ascii: "/").reversed())
    var place = ""
    var links = 0
    while true {
      guard let folder = status(place.isEmpty ? "/" : place) else { return nil }
      if let finding = judge(folder, "folder", place.isEmpty ? "/" : place, user) { return finding }
      guard let name = rest.popLast() else { return nil }
      if name == "." { continue }
      if name == ".." {
        place = place.cut(atLast: "/").map { String($0.before) } ?? ""
        continue
      }
      let next = "\(place)/\(name)"
      guard let found = status(next) else { return nil }
      switch found.st_mode & S_IFMT {
      case S_IFLNK:
        if let finding = judge(found, "link", next, user) { return finding }
        links += 1
        guard links <= 40, let target = FileFolders.target(ofLink: next) else { return nil }
        if target.hasPrefix(bytesOf: "/") { place = "" }
        rest += target.split(ascii: "/").reversed()
      case S_IFDIR: place = next
      default:
        if let finding = judge(found, "file", next, user) { return finding }
        for log in logs {
          if let status = status(next + log), let finding = judge(status, "file", next + log, user) {
            return finding
          }
        }
        return nil
      }
    }
  }

  /// Returns the other user to whom a copy of the database must belong, because its content is that user's.
  public static func owner(ofDatabase path: String) -> Owner? {
    if let owner = otherOwner(of: path) { return owner }
    return geteuid() == 0 ? finding(ofDatabase: path)?.owner : nil
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

  private static func judge(_ status: stat, _ what: String, _ path: String, _ user: UInt32) -> Finding? {
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

  private static func isWritableByOthers(_ status: stat) -> Bool {
    status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
  }

  private static func status(_ path: String) -> stat? {
    var found = stat()
    return lstat(path, &found) == 0 ? found : nil
  }
}

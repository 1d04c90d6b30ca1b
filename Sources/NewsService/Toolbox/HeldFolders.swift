import Glibc
import Synchronization

/// Keeps folders open that another user can exchange for another folder or a link, so that root can name the files in them
/// without a path that this user can change.
public enum HeldFolders {
  public enum Failure: Error {
    /// The path leads through a symbolic link of a user who owns neither the file nor, if it is missing, its folder.
    case foreignLink(path: String, uid: UInt32)
    /// The path is a symbolic link to a missing file.
    case danglingLink
    case system(SystemError)
  }

  /// How the names of files in held folders begin.
  public static let start = "/proc/self/fd/"

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// The descriptors stay open as long as the process, because SQLite uses a name until it has closed the file.
  private static let folders = Mutex<[Identity: Int32]>([:])
  private static let names = Mutex<[String: String]>([:])
  /// `O_PATH` of open(2), which Swift does not import. Opens a folder that this user may not list, too.
  private static let pathOnly: Int32 = 0o10000000

  /// Returns a name of the file that begins with a descriptor of its folder (`/proc/self/fd/7/newsd.db`), and leads to this
  /// folder for as long as the process runs. If the last part was a symbolic link, the name is that of the link's target.
  /// Another user of the folder can still put a link at the name.
  /// Returns nil if the path is as good: this process is not root's, or no other user can exchange a folder of the path.
  ///
  /// With `always`, root gets such a name for every path: a user whose rights it takes may not be able to follow the path.
  public static func name(of path: String, always: Bool = false) throws(Failure) -> String? {
    try held(path, always: always) { walk, descriptor in "\(descriptor)/\(walk.name)" }
  }

  /// Returns a name of the folder at the path that leads to this folder for as long as the process runs; nil as `name` does.
  /// When root has taken another user's rights, returns the name that it got before with `always`.
  public static func folder(at path: String, always: Bool = false) throws(Failure) -> String? {
    guard geteuid() == 0 else { return names.withLock { $0[path] } }
    let name = try held(path, isFolder: true, always: always) { _, descriptor in descriptor }
    if always { names.withLock { $0[path] = name } }
    return name
  }

  private static func held(
    _ path: String,
    isFolder: Bool = false,
    always: Bool,
    _ name: (Walk, _ descriptor: String) -> String
  ) throws(Failure) -> String? {
    guard geteuid() == 0 else { return nil }
    var walk = try Walk(path)
    defer { walk.end() }
    do throws(SystemError) {
      while !(isFolder && walk.isAtEnd), try walk.advance() {}
      if isFolder { try walk.checkFolder() }
    } catch {
      // A path that no other user can change is opened as usual, and then has the usual error.
      guard walk.isExchangeable else { return nil }
      throw .system(error)
    }
    guard walk.isExchangeable || always else { return nil }
    if let link = walk.foreignLink { throw .foreignLink(path: link.path, uid: link.uid) }
    guard !walk.isDangling else { throw .danglingLink }
    let descriptor = try hold(&walk)
    return name(walk, "\(start)\(descriptor)")
  }

  private static func hold(_ walk: inout Walk) throws(Failure) -> Int32 {
    let identity = identity(walk.status)
    let descriptor = folders.withLock { folders in
      if let known = folders[identity] { return known }
      let descriptor = walk.take()
      folders[identity] = descriptor
      return descriptor
    }
    var status = stat()
    guard stat("\(start)\(descriptor)", &status) == 0 else { throw .system(.last) }
    return descriptor
  }

  private static func identity(_ status: stat) -> Identity {
    Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Goes from folder to folder by descriptors, as the system does for a path.
  private struct Walk {
    /// The folder that was reached; -1 after `take`.
    private var folder: Int32
    private(set) var status = stat()
    /// The last part of the path, in `folder`.
    private(set) var name = ""
    private(set) var isExchangeable = false
    /// True if the last part of the path was a link, and there is nothing where it leads.
    private(set) var isDangling = false
    private var endsInLink = false
    /// The path of `folder`, for messages.
    private var place = ""
    private var foreignLinks: [(path: String, uid: UInt32)] = []
    private var rest: [String]
    private var links = 0

    init(_ path: String) throws(Failure) {
      let absolute = path.hasPrefix(bytesOf: "/") ? path : "\(FileFolders.current)/\(path)"
      rest = absolute.split(ascii: "/").reversed().map(String.init)
      folder = open("/", pathOnly | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0, fstat(folder, &status) == 0 else { throw .system(.last) }
    }

    /// True if no part of the path is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// Passes the next part of the path. Returns false at the file.
    mutating func advance() throws(SystemError) -> Bool {
      guard let next = rest.popLast() else { throw SystemError(code: EISDIR) }
      if next == "." { return true }
      let child = openat(folder, next, HeldFolders.pathOnly | O_NOFOLLOW | O_CLOEXEC)
      guard child >= 0 else {
        let error = SystemError.last
        name = next
        if rest.isEmpty, error.code == ENOENT {
          isDangling = endsInLink
          return false
        }
        isExchangeable = isExchangeable || isChangeable(status)
        throw error
      }
      var found = stat()
      fstat(child, &found)
      let kind = found.st_mode & S_IFMT
      guard !rest.isEmpty || kind == S_IFLNK || kind == S_IFDIR else {
        close(child)
        name = next
        return false
      }
      // In a sticky folder, the owner of a folder may rename it.
      let isInShared = FileTrust.isWritableByOthers(status) && ![0, geteuid()].contains(found.st_uid)
      isExchangeable = isExchangeable || isChangeable(status) || isInShared || isForeign(found, kind)
      guard kind == S_IFLNK else {
        move(to: child, found)
        place = next == ".." ? place.cut(atLast: "/").map { String($0.before) } ?? "" : "\(place)/\(next)"
        return true
      }
      defer { close(child) }
      endsInLink = endsInLink || rest.isEmpty
      if isForeign(found, kind) { foreignLinks.append(("\(place)/\(next)", found.st_uid)) }
      try follow(child)
      return true
    }

    private func isChangeable(_ status: stat) -> Bool {
      FileTrust.judge(status, "folder", "", geteuid()) != nil
    }

    private func isForeign(_ link: stat, _ kind: mode_t) -> Bool {
      kind == S_IFLNK && ![0, geteuid()].contains(link.st_uid)
    }

    private mutating func move(to next: Int32, _ found: stat) {
      close(folder)
      (folder, status) = (next, found)
    }

    private mutating func follow(_ link: Int32) throws(SystemError) {
      links += 1
      guard links <= 40 else { throw SystemError(code: ELOOP) }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link, "", &bytes, bytes.count)
      guard count > 0 else { throw .last }
      let target = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if target.hasPrefix(bytesOf: "/") {
        let root = open("/", HeldFolders.pathOnly | O_DIRECTORY | O_CLOEXEC)
        var status = stat()
        guard root >= 0, fstat(root, &status) == 0 else { throw .last }
        move(to: root, status)
        place = ""
      }
      rest += target.split(ascii: "/").reversed().map(String.init)
    }

    /// A link on the way whose owner owns neither the file nor, if it is missing, its folder.
    var foreignLink: (path: String, uid: UInt32)? {
      foreignLinks.first { $0.uid != (file ?? status).st_uid }
    }

    /// Throws if the path led to a file or to nothing.
    mutating func checkFolder() throws(SystemError) {
      guard !name.isEmpty else { return }
      isExchangeable = isExchangeable || isChangeable(status)
      throw SystemError(code: file == nil ? ENOENT : ENOTDIR)
    }

    private var file: stat? {
      var file = stat()
      return fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW) == 0 ? file : nil
    }

    /// Returns the descriptor of the folder, which the caller owns from now on.
    mutating func take() -> Int32 {
      defer { folder = -1 }
      return folder
    }

    func end() { if folder >= 0 { close(folder) } }
  }
}

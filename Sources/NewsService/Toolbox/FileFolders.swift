import Glibc

/// Creates the folders of newsd's own files.
public enum FileFolders {
  /// Creates a folder and its parents, accessible to this user only. Errors are ignored: opening a file in
  /// the folder reports them. With `isShared`, root gives a new folder to the owner of the folder in which it is: that
  /// user's own commands write there, too.
  public static func create(_ path: String, isShared: Bool = false) {
    var end = path.utf8.startIndex
    while let slash = path.utf8[end...].firstIndex(of: UInt8(ascii: "/")) {
      end = path.utf8.index(after: slash)
      if slash != path.utf8.startIndex { make(String(path[..<slash]), isShared) }
    }
    make(path, isShared)
  }

  private static func make(_ path: String, _ isShared: Bool) {
    let place = path.cut(atLast: "/")
    guard isShared, geteuid() == 0, let place, !place.after.isEmpty else {
      mkdir(path, 0o700)
      return
    }
    // By descriptors: another user can exchange folders between two system calls.
    let parent = open(place.before.isEmpty ? "/" : String(place.before), pathOnly | O_DIRECTORY | O_CLOEXEC)
    defer { if parent >= 0 { close(parent) } }
    var owner = stat()
    let name = String(place.after)
    guard parent >= 0, fstat(parent, &owner) == 0, mkdirat(parent, name, 0o700) == 0, owner.st_uid != 0 else {
      return
    }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    var made = stat()
    guard folder >= 0, fstat(folder, &made) == 0, made.st_uid == 0 else { return }
    fchown(folder, owner.st_uid, owner.st_gid)
  }

  /// `O_PATH` of open(2), which Swift does not import.
  private static let pathOnly: Int32 = 0o10000000

  /// The working folder; the root folder if it is unknown.
  static var current: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Reads a symbolic link; nil if it cannot be read.
  static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes {
      $0.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, Int(PATH_MAX)) } ?? -1
    }
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}

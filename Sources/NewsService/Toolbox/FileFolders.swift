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
    let parent = path.cut(atLast: "/").map { $0.before.isEmpty ? "/" : String($0.before) } ?? "."
    guard mkdir(path, 0o700) == 0, isShared, let owner = FileTrust.otherOwner(of: parent), geteuid() == 0
    else { return }
    lchown(path, owner.uid, owner.gid)
  }

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

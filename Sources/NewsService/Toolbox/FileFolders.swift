import Glibc

/// Creates the folders of newsd's own files.
public enum FileFolders {
  /// Creates a folder and its parents, accessible to this user only. Errors are ignored: opening a file in
  /// the folder reports them.
  public static func create(_ path: String) {
    var end = path.utf8.startIndex
    while let slash = path.utf8[end...].firstIndex(of: UInt8(ascii: "/")) {
      end = path.utf8.index(after: slash)
      if slash != path.utf8.startIndex { mkdir(String(path[..<slash]), 0o700) }
    }
    mkdir(path, 0o700)
  }
}

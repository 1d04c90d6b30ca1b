import Glibc
import NewsToolbox

/// The directory of a store, which must have room for its temporary files.
enum StoreDirectory {
  /// Returns which right to a store or its directory this process lacks, and whose they are; nil if it lacks none.
  /// SQLite reports the error of its second attempt, to open the file for reading: that a new file does not exist.
  static func denial(ofStore path: String) -> String? {
    for (place, rights) in [(self.path(ofStore: path), W_OK | X_OK), (path, R_OK | W_OK)] {
      var status = stat()
      guard access(place, rights) != 0, errno == EACCES || errno == EPERM, stat(place, &status) == 0 else {
        continue
      }
      return
        "cannot use the store \(path): uid \(geteuid()), as which newsd runs, may not write to \(place), which "
        + "belongs to uid \(status.st_uid) (mode \(String(status.st_mode & 0o7777, radix: 8))). "
        + "Change the owner, or name another file with --db"
    }
    return nil
  }

  static func path(ofStore path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}

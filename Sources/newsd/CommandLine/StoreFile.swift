import Glibc
import NewsToolbox

/// Checks the files of stores.
enum StoreFile {
  /// True if the file exists. Also true for the address of a store on a server, which only a connection can check.
  static func exists(_ path: String) -> Bool { path.contains(bytesOf: "://") || access(path, F_OK) == 0 }
}

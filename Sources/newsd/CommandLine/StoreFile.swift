import Glibc

/// Checks the store's file before it is opened.
enum StoreFile {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

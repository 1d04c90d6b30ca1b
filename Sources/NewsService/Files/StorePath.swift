import Glibc

/// Names of the files beside a store.
enum StorePath {
  /// The path of the store's file with `ending` added. Symbolic links to the store are resolved first, so that every
  /// process finds the same file.
  static func beside(_ store: String, _ ending: String) -> String {
    guard let real = realpath(store, nil) else { return store + ending }
    defer { free(real) }
    return String(cString: real) + ending
  }
}

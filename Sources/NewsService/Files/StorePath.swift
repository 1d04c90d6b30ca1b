import Glibc

/// Names of the files that belong to a store.
enum StorePath {
  /// The path of the store with `ending` appended. Symbolic links are resolved first, so that every process uses the
  /// same file.
  static func beside(_ store: String, _ ending: String) -> String {
    guard let real = realpath(store, nil) else { return store + ending }
    defer { free(real) }
    return String(cString: real) + ending
  }
}

import Glibc

/// Files that lie beside a store.
public enum StoreFiles {
  /// The path of the store's file with that ending. Beside the file itself, whatever links lead to it: every process has
  /// to find the same one.
  public static func path(beside store: String, _ ending: String) -> String {
    guard let real = realpath(store, nil) else { return store + ending }
    defer { free(real) }
    return String(cString: real) + ending
  }
}

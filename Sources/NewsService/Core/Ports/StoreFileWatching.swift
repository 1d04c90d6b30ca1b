/// What has happened to the store's file since it was opened.
public enum StoreFilePresence: Hashable, Sendable {
  case present
  /// The file was deleted or renamed.
  case missing
  /// The path refers to another file.
  case replaced
}

/// Watches the store's file: SQLite does not notice when an open file is deleted or replaced.
public protocol StoreFileWatching: Sendable {
  func state() -> StoreFilePresence
}

/// What has become of the store's file since it was opened.
public enum StoreFilePresence: Hashable, Sendable {
  case present
  /// No file has the store's name any more.
  case missing
  /// Another file has the store's name.
  case replaced
}

/// Watches the store's file: an open store does not notice that its file was deleted or replaced.
public protocol StoreFileWatching: Sendable {
  func state() -> StoreFilePresence
}

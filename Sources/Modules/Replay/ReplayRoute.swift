/// A refresh from recorded exchanges.
public struct ReplayRoute: Hashable, Sendable {
  /// Path of the folder with the recordings.
  public var directory: String
  /// True: the user named the store for this; else it must hold no feeds.
  public var isSeparate: Bool

  public init(directory: String, isSeparate: Bool) {
    self.directory = directory
    self.isSeparate = isSeparate
  }
}

/// A refresh from recorded exchanges.
public struct ReplayRoute: Hashable, Sendable {
  /// Path of the folder with the recordings.
  public var directory: String
  /// True: the user chose this store with `--db`. False: the store must have no feeds.
  public var isSeparate: Bool

  public init(directory: String, isSeparate: Bool) {
    self.directory = directory
    self.isSeparate = isSeparate
  }
}

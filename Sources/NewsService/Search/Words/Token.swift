/// One token. `bytes` are valid only while the closure that receives the token runs.
public struct TokenSlice {
  /// The token in UTF-8.
  public var bytes: UnsafeBufferPointer<UInt8>
  /// Byte offsets into the text, before folding.
  public var start: Int
  public var end: Int
  /// True: the token shares the position of the previous one.
  public var isColocated: Bool
  /// True for a run of a single character in a script without spaces. A query must match it as a prefix, because longer
  /// runs are indexed in pairs.
  public var isLoneCharacter: Bool
}

/// One token that owns its text.
public struct Token: Hashable, Sendable {
  public var text: String
  /// Byte offsets into the UTF-8 of the text, before folding.
  public var start: Int
  public var end: Int
  /// True: the token shares the position of the previous one.
  public var isColocated = false
  /// See `TokenSlice.isLoneCharacter`.
  public var isLoneCharacter = false
}

/// One token; `bytes` are valid only during the call that hands it over.
public struct TokenSlice {
  /// UTF-8.
  public var bytes: UnsafeBufferPointer<UInt8>
  /// Byte offsets into the text that the token was made from.
  public var start: Int
  public var end: Int
  /// True: at the same position as the token before.
  public var isColocated: Bool
  /// True for a run of one character in a script written without spaces. In a query it must be looked for as the
  /// beginning of a token, because inside a longer run it occurs only in pairs.
  public var isLoneCharacter: Bool
}

/// One token, as a value.
public struct Token: Hashable, Sendable {
  public var text: String
  /// Byte offsets into the UTF-8 of the text that the token was made from.
  public var start: Int
  public var end: Int
  /// True: at the same position as the token before.
  public var isColocated: Bool
  /// See `TokenSlice.isLoneCharacter`.
  public var isLoneCharacter: Bool

  public init(text: String, start: Int, end: Int, isColocated: Bool = false, isLoneCharacter: Bool = false) {
    self.text = text
    self.start = start
    self.end = end
    self.isColocated = isColocated
    self.isLoneCharacter = isLoneCharacter
  }
}

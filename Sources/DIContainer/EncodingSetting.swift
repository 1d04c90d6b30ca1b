import NewsSyndication

/// Validates names of encodings in settings, because an unknown name would be ignored.
public enum EncodingSetting {
  /// True if `text` names an encoding that the parser can read.
  public static func isEncoding(_ text: String) -> Bool { KnownEncodings.contains(text) }
}

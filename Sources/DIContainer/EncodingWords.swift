import NewsSyndication

/// Validates names of encodings in settings; an unknown one would be ignored.
public enum EncodingWords {
  /// True when documents can be read in the encoding that `text` names.
  public static func isEncoding(_ text: String) -> Bool { KnownEncodings.contains(text) }
}

import NewsSyndication

/// Names of encodings in settings: one that nobody knows would be passed over.
public enum EncodingWords {
  /// True when documents can be read in the encoding that `text` names.
  public static func isEncoding(_ text: String) -> Bool { KnownEncodings.contains(text) }
}

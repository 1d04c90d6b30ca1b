/// Text from outside as it may stand in a message.
public enum MessageText {
  /// `text` with `?` for each scalar that could steer a terminal or reorder a line: control characters (C0, DEL, C1),
  /// bidirectional and other format characters, line and paragraph separators.
  public static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnprintable($0) ? "?" : $0 }))
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // Joiners are part of words in several scripts.
    case .format: return scalar.value != 0x200C && scalar.value != 0x200D
    default: return false
    }
  }
}

/// Makes untrusted text safe for messages.
public enum MessageText {
  /// Replaces by `?` every scalar that could control a terminal or reorder a line: control characters (C0, DEL, C1),
  /// bidirectional and other format characters, line and paragraph separators.
  public static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnprintable($0) ? "?" : $0 }))
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // The two joiners (U+200C, U+200D) are part of words in several scripts.
    case .format: return scalar.value != 0x200C && scalar.value != 0x200D
    default: return false
    }
  }
}

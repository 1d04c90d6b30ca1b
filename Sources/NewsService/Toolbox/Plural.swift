/// Formats numbers with the noun for the counted things.
public enum Plural {
  /// Formats a number with its noun: `1 item`, `2 items`. The plural defaults to the noun with an `s`.
  public static func of(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(word(count, noun, plural))"
  }

  /// Returns the noun alone, singular or plural, for text that writes the number in another way.
  public static func word(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    count == 1 ? noun : plural ?? noun + "s"
  }
}

/// Names of months and weekdays as protocols write them (RFC 5322 section 3.3).
public enum EnglishNames {
  /// January first.
  public static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Sunday first.
  public static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// Returns the number of a month, 1 to 12, from the first three letters of `name` in any case; nil for other words.
  public static func month(_ name: some StringProtocol) -> Int? {
    let start = name.utf8.prefix(3).map(ASCII.lowercase)
    return months.firstIndex { $0.utf8.map(ASCII.lowercase) == start }.map { $0 + 1 }
  }
}

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

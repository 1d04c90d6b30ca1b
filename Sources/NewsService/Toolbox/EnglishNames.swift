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

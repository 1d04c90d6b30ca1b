import Glibc

/// Counts as people read them, grouped as LC_NUMERIC says; ungrouped in the C locale.
public enum CountText {
  /// The count with the locale's separators.
  public static func of(_ count: Int) -> String {
    grouped(String(count.magnitude), isNegative: count < 0, separator: locale.separator, sizes: locale.sizes)
  }

  private struct Grouping {
    var separator = ""
    /// Digits of each group, the last (right most) first; the last size repeats.
    var sizes: [Int] = []
  }

  /// Read once: newsd sets its locale before anything else, and never again.
  private static let locale: Grouping = {
    guard let conventions = localeconv()?.pointee, let separator = conventions.thousands_sep,
      let grouping = conventions.grouping
    else { return Grouping() }
    var sizes: [Int] = []
    var next = grouping
    // Ended by 0 (the last size repeats) or CHAR_MAX (no more groups).
    while next.pointee > 0, next.pointee < CChar.max {
      sizes.append(Int(next.pointee))
      next += 1
    }
    return Grouping(separator: String(cString: separator), sizes: sizes)
  }()

  static func grouped(_ digits: String, isNegative: Bool = false, separator: String, sizes: [Int]) -> String {
    guard !separator.isEmpty, var size = sizes.first else { return (isNegative ? "-" : "") + digits }
    var rest = Substring(digits)
    var groups: [Substring] = []
    var index = 0
    while rest.count > size {
      groups.append(rest.suffix(size))
      rest.removeLast(size)
      index += 1
      if index < sizes.count { size = sizes[index] }
    }
    groups.append(rest)
    return (isNegative ? "-" : "") + groups.reversed().joined(separator: separator)
  }
}

import Glibc

/// Formats counts with the digit grouping of LC_NUMERIC; the C locale has none.
public enum CountText {
  /// The count with the locale's digit grouping.
  public static func of(_ count: Int) -> String {
    grouped(String(count.magnitude), isNegative: count < 0, separator: locale.separator, sizes: locale.sizes)
  }

  private struct Grouping {
    var separator = ""
    /// Number of digits per group, from the right; the last size repeats. `Int.max`: the rest is one group.
    var sizes: [Int] = []
  }

  /// The grouping of the locale. Read once, because newsd sets its locale only at startup.
  private static let locale: Grouping = {
    guard let conventions = localeconv()?.pointee, let separator = conventions.thousands_sep,
      let grouping = conventions.grouping
    else { return Grouping() }
    var sizes: [Int] = []
    var next = grouping
    // The list ends with 0 (the last size repeats) or CHAR_MAX (no more groups).
    while next.pointee > 0, next.pointee < CChar.max {
      sizes.append(Int(next.pointee))
      next += 1
    }
    if next.pointee == CChar.max { sizes.append(.max) }
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

/// Formats sizes in bytes for people.
public enum ByteCountText {
  /// Formats a size, for example `512 B` or `1.4 MiB`.
  public static func text(_ bytes: Int64) -> String {
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    guard unit > 0 else { return "\(bytes) B" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

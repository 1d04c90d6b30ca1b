/// The version that `newsd version` prints.
enum Version {
  static let number = "0.1.0"
  /// Program name and version for the User-Agent field.
  static let program = "newsd/\(number)"
  /// The date of the manual page, in mdoc(7)'s form.
  static let date = "November 21, 2026"
}

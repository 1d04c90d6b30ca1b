/// What `newsd version` says.
enum Version {
  static let number = "0.1.0"
  /// For the User-Agent field.
  static let program = "newsd/\(number)"
  /// Of the documentation, as mdoc(7) writes it.
  static let date = "November 21, 2026"
}

import NewsToolbox

/// Recognizes pages that are shown instead of the article: bot checks, consent forms and errors.
enum PageWall {
  private static let phrases = [
    "just a moment", "access denied", "access to this page has been denied", "before you continue",
    "are you a robot", "are you human", "attention required", "verify you are human",
    "checking your browser", "pardon our interruption", "please enable js", "ddos-guard", "security check",
    "robot check", "403 forbidden", "404 not found", "page not found", "service unavailable",
    "too many requests", "bitte bestätigen sie", "zustimmung erforderlich",
  ]

  /// Returns true if the page's title is typical of such a page and the extracted text is short. `letters` is the
  /// length of the text.
  static func isWall(title: String?, letters: Int) -> Bool {
    guard letters < 1_500, let title, title.utf8.count < 120 else { return false }
    let lower = title.lowercased()
    return phrases.contains { lower.hasPrefix(bytesOf: $0) }
  }
}

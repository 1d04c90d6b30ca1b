import NewsToolbox

/// Compares and shortens titles of pages.
enum ArticleTitle {
  /// Folds a title to its letters and digits in lower case, so that titles with the same words are equal.
  static func folded(_ title: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in title.lowercased().unicodeScalars
    where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
      result.append(scalar)
    }
    return String(result)
  }

  /// Removes the name of the site from a page's title: `Headline | Site`, `Site - Headline`.
  static func withoutSite(_ title: String, site: String?) -> String {
    let scalars = Array(title.unicodeScalars)
    var cuts: [(first: Int, after: Int)] = []
    for index in scalars.indices.dropFirst().dropLast()
    where scalars[index - 1] == " " && scalars[index + 1] == " " && separators.contains(scalars[index]) {
      cuts.append((index - 1, index + 2))
    }
    guard let first = cuts.first, let last = cuts.last else { return title }
    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    if let site {
      let name = folded(site)
      if !name.isEmpty, folded(text(last.after..<scalars.count)) == name { return text(0..<last.first) }
      if !name.isEmpty, folded(text(0..<first.first)) == name { return text(first.after..<scalars.count) }
    }
    let head = text(0..<last.first)
    let words = head.utf8.split(separator: UInt8(ascii: " ")).count
    return words >= 3 || head.utf8.count > 24 ? head : title
  }

  private static let separators: [Unicode.Scalar] = ["|", "-", "–", "—", "·", "•", "»", "/", "\\", ">"]
}

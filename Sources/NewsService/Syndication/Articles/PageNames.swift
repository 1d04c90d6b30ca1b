import NewsCore

/// Title, author and date of a page's article.
struct PageNames {
  let title: String?
  let byline: String?
  let published: Timestamp?
  /// The candidates for the title, folded to letters and digits. A heading equal to one of them repeats the title.
  let titles: [String]

  init(
    _ metadata: PageMetadata,
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    count: Int,
    page: UnsafePointer<UInt8>
  ) {
    var plain = HTMLPlainText()
    func text(_ index: Int) -> String {
      let element = elements[index]
      let length = Int(element.contentEnd - element.contentStart)
      guard length > 0, length < 4_000 else { return "" }
      return plain.line(ofHTML: UnsafeBufferPointer(start: page + Int(element.contentStart), count: length))
    }
    var heading: String?
    var headings = 0
    var author: String?
    for index in 0..<count {
      let element = elements[index]
      if element.name == .h1, headings < 20 {
        headings += 1
        let line = text(index)
        if heading == nil, !line.isEmpty { heading = line }
      } else if author == nil, element.flags.contains(.author) || element.meaning.contains(.byline) {
        let line = text(index)
        if !line.isEmpty, line.utf8.count < 100 { author = line }
      }
    }
    let cut = metadata.title.map { ArticleTitle.withoutSite($0, site: metadata.siteName) }
    let named = metadata.titles.first.map { ArticleTitle.withoutSite($0, site: metadata.siteName) }
    title = named ?? cut ?? heading
    byline = metadata.byline ?? author
    published = metadata.published.flatMap(DateParser.parse)
    var all = metadata.titles + [metadata.title, cut, named].compactMap { $0 }
    // The only h1 of a page may also be the title; one of several could be a section's heading.
    if headings == 1, let heading { all.append(heading) }
    titles = Array(Set(all.map(ArticleTitle.folded).filter { !$0.isEmpty }))
  }
}

/// Compares and shortens titles of pages.
enum ArticleTitle {
  /// Folds the beginning of a title to its letters and digits in lower case, so that titles with the same words are equal.
  ///
  /// Without the signs between them, letters with marks may follow each other without end, and comparing such texts takes time in
  /// the square of their length.
  static func folded(_ title: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in title.lowercased().unicodeScalars.prefix(longestFolded)
    where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
      result.append(scalar)
    }
    return String(result)
  }

  private static let longestFolded = 1000

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

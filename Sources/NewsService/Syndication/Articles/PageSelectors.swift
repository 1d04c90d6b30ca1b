import NewsCore
import NewsToolbox

/// The user's selectors for a page, parsed.
struct PageSelectors {
  private let content: SelectorList?
  private let remove: SelectorList?
  private let next: SelectorList?

  init(_ selectors: ArticleSelectors) throws(SelectorProblem) {
    content = try Self.list(selectors.content)
    remove = try Self.list(selectors.remove)
    next = try Self.list(selectors.next)
  }

  private static func list(_ text: String?) throws(SelectorProblem) -> SelectorList? {
    guard let text else { return nil }
    return try SelectorParser.parse(text)
  }

  var isEmpty: Bool { content == nil && remove == nil && next == nil }
  var hasContent: Bool { content != nil }

  struct Matches {
    /// The elements that the content selector matches, none inside another.
    var content: [Int] = []
    var remove: [Int] = []
    /// The `href` of the first link that the selector for the next page matches.
    var next: String?
  }

  func matches(
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    count: Int,
    page: UnsafePointer<UInt8>
  ) -> Matches {
    var matcher = SelectorMatcher(elements, count: count, page: page)
    var result = Matches()
    if let content {
      var end = 0
      for index in matcher.matches(content) where index >= end {
        result.content.append(index)
        end = Int(elements[index].end)
      }
    }
    if let remove { result.remove = matcher.matches(remove) }
    if let next {
      for index in matcher.matches(next) {
        guard let href = TagReader(page, elements[index]).value("href") else { continue }
        result.next = String(streamSafe: href)
        break
      }
    }
    return result
  }
}

import NewsCore

struct SelectorParser {
  static func parse(_ text: String) throws(SelectorProblem) -> Int { 0 }
}

struct PageSelectors {
  init(_ selectors: ArticleSelectors) throws(SelectorProblem) {}
  var isEmpty: Bool { true }
  var hasContent: Bool { false }
  func matches(
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    count: Int,
    page: UnsafePointer<UInt8>
  ) -> (content: [Int], remove: [Int], next: String?) { ([], [], nil) }
}

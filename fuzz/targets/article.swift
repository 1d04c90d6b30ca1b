import NewsCore
@testable import NewsSyndication

/// The first line is a list of selectors, the rest a page: extraction ends, and sanitizing its result again changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArticle(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  let selector = String(decoding: parts.first ?? [], as: UTF8.self)
  let page = FeedDocument(bytes: Array(parts.last ?? []), baseURL: "https://example.org/a/b")
  let extractor = ArticleExtractor()
  check(extractor, page, ArticleHints())
  check(extractor, page, ArticleHints(excerpt: selector, title: selector))
  guard extractor.problem(inSelectors: selector) == nil else { return 0 }
  let selectors = ArticleSelectors(content: selector, remove: selector, next: selector)
  check(extractor, page, ArticleHints(selectors: selectors))
  check(extractor, page, ArticleHints(selectors: ArticleSelectors(remove: selector)))
  return 0
}

private func check(_ extractor: ArticleExtractor, _ page: FeedDocument, _ hints: ArticleHints) {
  guard let article = try? extractor.article(inPage: page, hints: hints) else { return }
  require(!article.html.isEmpty || !article.text.isEmpty, "an empty article")
  var sanitizer = HTMLSanitizer()
  let again = sanitizer.sanitize(article.html, base: "https://example.org/a/b")
  require(again.html == article.html, "not stable:\n\(article.html)\n\(again.html)")
  if let next = article.nextPage {
    require(
      next.utf8.starts(with: "http://".utf8) || next.utf8.starts(with: "https://".utf8),
      "not on the web: \(next)"
    )
  }
}

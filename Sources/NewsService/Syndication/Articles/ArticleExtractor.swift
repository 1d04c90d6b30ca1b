public import NewsCore

/// Extracts the article of a page. newsd's tokenizer fills a flat table of elements instead of a tree, scoring and
/// cleaning choose elements from it, and the sanitizer reads their bytes. Time is linear in the page.
public struct ArticleExtractor: ArticleExtracting {
  /// Maximum number of bytes read from a page.
  public static let maximumBytes = 5 << 20

  public init() {}

  public func problem(inSelectors text: String) -> SelectorProblem? {
    do {
      _ = try SelectorParser.parse(text)
      return nil
    } catch {
      return error
    }
  }

  public func article(
    inPage document: FeedDocument,
    hints: ArticleHints
  ) throws(ArticleRefusal) -> PageArticle {
    let selectors: PageSelectors
    do {
      selectors = try PageSelectors(hints.selectors)
    } catch {
      throw .selector(error)
    }
    let text = PageText(document, limit: Self.maximumBytes)
    var result: Result<PageArticle, ArticleRefusal> = .failure(.noArticle)
    text.withBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var sink = PageTableSink(bytes, at: start)
      var tokenizer = HTMLTokenizer()
      tokenizer.run(bytes, into: &sink)
      sink.finish()
      let metadata = sink.metadata
      result = sink.table.withElements { elements, count in
        let names = PageNames(metadata, elements, count: count, page: start)
        let base = Self.base(metadata.base, of: document.baseURL)
        var extraction = ArticleExtraction(
          ArticleFinder(elements, count: count, page: start, titles: names.titles),
          metadata: metadata,
          base: base
        )
        extraction.run(hints, selectors)
        return extraction.result(names, hints, selectors)
      }
    }
    return try result.get()
  }

  /// Returns the page's base. The `base` element may itself be relative to the page's URL.
  private static func base(_ written: String?, of page: String?) -> BaseURL? {
    let document = page.flatMap { BaseURL($0) }
    let own = written.flatMap { URLResolver.resolve($0, against: document, policy: .resource) }
    return own.flatMap { BaseURL($0) } ?? document
  }
}

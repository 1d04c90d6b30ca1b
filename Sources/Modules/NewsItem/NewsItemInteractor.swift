public import NewsCore

/// Shows items whole.
///
/// Assembled by a configurator:
/// ```
/// NewsItemInteractor(news: store, richText: renderer, presenter: NewsItemPresenter(output: output))
/// Screen(view: NewsItemView(output: output), output: standardOutput, messages: standardError)
/// ```
public struct NewsItemInteractor: Sendable {
  private let news: any ItemReading
  private let richText: any RichTextRendering
  private let presenter: NewsItemPresenter

  public init(news: any ItemReading, richText: any RichTextRendering, presenter: NewsItemPresenter) {
    self.news = news
    self.richText = richText
    self.presenter = presenter
  }

  /// Emits one item after the other; those that are not there are told of at the end.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ ids: [NewsItem.ID], emit: Emit<NewsItemViewModel>) async throws {
    var missing: [NewsItem.ID] = []
    do {
      for (index, id) in ids.enumerated() {
        do {
          let item = try await news.item(id)
          let body = presenter.showsText ? item.contentHTML.map(richText.richText) : nil
          let content = presenter.present(item, body: body)
          let isLast = index == ids.count - 1 && missing.isEmpty
          try emit(isLast ? .ready(content) : .loading(Progress(done: index + 1), keeping: content))
        } catch let error as StoreError where error.code == .noSuchItem {
          missing.append(id)
        }
      }
    } catch let error as StoreError {
      return try emit(.failed(UserMessage(error)))
    }
    guard !missing.isEmpty else { return }
    let list = missing.map { String($0.rawValue) }.joined(separator: ", ")
    let text = missing.count == 1 ? "there is no item \(list)" : "there are no items \(list)"
    try emit(.failed(UserMessage(code: .notFound, text: text)))
  }
}

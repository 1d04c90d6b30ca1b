public import NewsService

/// Shows one item whole.
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

  /// - Throws: What `emit` throws.
  public func run(_ id: NewsItem.ID, emit: Emit<NewsItemViewModel>) async throws {
    do {
      let item = try await news.item(id)
      let body = presenter.showsText ? item.contentHTML.map(richText.richText) : nil
      try emit(presenter.present(item, body: body))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}

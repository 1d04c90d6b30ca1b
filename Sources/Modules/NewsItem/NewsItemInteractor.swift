public import NewsCore

/// Shows items in full.
public struct NewsItemInteractor: Interactor {
  private let news: any ItemReading
  private let richText: any RichTextRendering
  /// Marks shown items read; nil: they are not marked.
  private let marking: (any ItemMarking)?
  /// Fetches the pages of items; nil: pages are not fetched.
  private let articles: ArticleQueue?
  private let presenter: NewsItemPresenter

  public init(
    news: any ItemReading,
    richText: any RichTextRendering,
    marking: (any ItemMarking)? = nil,
    articles: ArticleQueue? = nil,
    presenter: NewsItemPresenter
  ) {
    self.news = news
    self.richText = richText
    self.marking = marking
    self.articles = articles
    self.presenter = presenter
  }

  /// Emits the items one by one, then marks them read if `marking` is set. Fails at the end if some ids match no
  /// item.
  public func respond(to ids: [NewsItem.ID], emit: @escaping Emit<NewsItemViewModel>) async throws {
    guard !ids.isEmpty else { throw presenter.nothing() }
    var missing: [NewsItem.ID] = []
    for (index, id) in ids.enumerated() {
      do {
        let reason = try await readPage(of: id)
        var item = try await news.item(id)
        // Show the item as read: it is marked after it was shown.
        if marking != nil { item.isRead = true }
        let body = presenter.showsText ? item.contentHTML.map(richText.richText) : nil
        let isLast = index == ids.count - 1 && missing.isEmpty
        let states = await states(of: item)
        let count = isLast ? nil : index + 1
        try emit(presenter.present(item, body: body, states: states, count: count, refusal: reason))
      } catch let error as StoreError where error.code == .noSuchItem {
        missing.append(id)
      }
    }
    if let marking { _ = try await marking.mark(ids.filter { !missing.contains($0) }, .read) }
    if !missing.isEmpty { throw presenter.missing(missing) }
  }

  /// Returns how far the enclosures have been played. An item is shown even if this cannot be read.
  private func states(of item: NewsItem) async -> [EnclosureState] {
    guard presenter.showsText, item.enclosures.contains(where: { !$0.isPicture }) else { return [] }
    return (try? await news.streamItems([item.id]))?.first?.enclosures ?? []
  }

  /// Fetches the item's page if `articles` is set. Returns the reason if the page gave no article.
  private func readPage(of id: NewsItem.ID) async throws(StoreError) -> String? {
    guard let articles else { return nil }
    do {
      guard case .refused(let reason)? = try await articles.fetch(id) else { return nil }
      return reason
    } catch  where error.code == .badQuery {
      return error.message
    }
  }
}

/// Shows the first unread item of a list and marks it read.
public struct NextItemInteractor: Interactor {
  private let news: any ItemReading
  private let filters: FilterResolver
  private let item: NewsItemInteractor

  public init(
    news: any ItemReading,
    filters: FilterResolver,
    item: NewsItemInteractor
  ) {
    self.news = news
    self.filters = filters
    self.item = item
  }

  /// Emits the item; fails with `nothingMatched` if no item is unread.
  public func respond(to request: NextItemRequest, emit: @escaping Emit<NewsItemViewModel>) async throws {
    let query = try await filters.query(request.filter, and: .isRead(false))
    let found = try await news.items(ItemRequest(query: query, order: request.order, limit: 1, parts: []))
    guard let id = found.first?.item.id else {
      throw UserMessage(code: .nothingMatched, text: "no item is unread")
    }
    try await item.run([id], emit: emit)
  }
}

/// The filter and the order that choose the next unread item.
public struct NextItemRequest: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder

  public init(filter: ItemFilter, order: ItemOrder = .newest) {
    self.filter = filter
    self.order = order
  }
}

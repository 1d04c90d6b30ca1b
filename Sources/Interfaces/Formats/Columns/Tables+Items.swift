public import NewsCore

/// A column of items.
struct ItemColumn: Sendable {
  let name: String
  /// The parts of items that the store must read for this column.
  let needs: ItemParts
  let isTime: Bool
  let value: @Sendable (NewsItem) -> FieldValue

  init(
    _ name: String,
    needs: ItemParts,
    isTime: Bool = false,
    _ value: @escaping @Sendable (NewsItem) -> FieldValue
  ) {
    self.name = name
    self.needs = needs
    self.isTime = isTime
    self.value = value
  }

  static let all: [ItemColumn] = [
    ItemColumn("id", needs: []) { .number($0.id.rawValue) },
    ItemColumn("feed_id", needs: []) { .number($0.feedID.rawValue) },
    ItemColumn("feed", needs: []) { .text($0.feedTitle) },
    ItemColumn("feed_url", needs: []) { .text($0.feedURL) },
    ItemColumn("guid", needs: []) { .text($0.guid) },
    ItemColumn("title", needs: []) { .text($0.title) },
    ItemColumn("url", needs: []) { FieldValue($0.url) },
    ItemColumn("authors", needs: .details) { .authors($0.authors) },
    ItemColumn("published", needs: [], isTime: true) { FieldValue($0.published) },
    ItemColumn("updated", needs: [], isTime: true) { FieldValue($0.updated) },
    ItemColumn("stored", needs: [], isTime: true) { .time($0.stored) },
    ItemColumn("summary", needs: []) { FieldValue($0.summary) },
    ItemColumn("content_text", needs: .contentText) { .text($0.contentText) },
    ItemColumn("content_html", needs: .contentHTML) { FieldValue($0.contentHTML) },
    ItemColumn("tags", needs: .details) { .words($0.tags) },
    ItemColumn("enclosures", needs: .details) { .enclosures($0.enclosures) },
    ItemColumn("language", needs: []) { FieldValue($0.language) },
    ItemColumn("is_read", needs: []) { .flag($0.isRead) },
    ItemColumn("is_starred", needs: []) { .flag($0.isStarred) },
    // The state of the item's page: waiting, fetched or refused.
    ItemColumn("article", needs: .article) { FieldValue($0.article?.state.rawValue) },
    ItemColumn("article_reason", needs: .article) { FieldValue($0.article?.reason) },
    // The feed's own HTML, or its text if it has no HTML; set if the article has replaced it.
    ItemColumn("feed_content_html", needs: .article) {
      FieldValue($0.article.flatMap { $0.feedHTML ?? $0.feedText })
    },
    ItemColumn("seq", needs: []) { .number($0.sequence) },
    // The user's labels.
    ItemColumn("labels", needs: .details) { .words($0.labels) },
    // The address of a picture that represents the item.
    ItemColumn("image", needs: .details) { FieldValue($0.image ?? $0.media?.pictures.first?.url) },
    // The address of a small picture that represents the item.
    ItemColumn("thumbnail", needs: .details) { FieldValue($0.media?.thumbnail?.url) },
    // The playing time in seconds.
    ItemColumn("duration", needs: .details) {
      FieldValue($0.media?.duration ?? $0.enclosures.lazy.compactMap(\.duration).first)
    },
    ItemColumn("episode", needs: .details) { FieldValue($0.media?.episode) },
    ItemColumn("season", needs: .details) { FieldValue($0.media?.season) },
    // The address of the document with the chapters.
    ItemColumn("chapters", needs: .details) { FieldValue($0.media?.chapters?.href) },
    // The address of the first transcript.
    ItemColumn("transcript", needs: .details) { FieldValue($0.media?.transcripts.first?.href) },
  ]

  /// The parts of items that the store must read for the columns with these names.
  static func parts(for names: [String]) -> ItemParts {
    all.filter { names.contains($0.name) }.reduce(into: names.contains(excerpt) ? .excerpt : []) {
      $0.formUnion($1.needs)
    }
  }

  /// The column with the excerpt of a match. Not a default column, because only searches have excerpts.
  fileprivate static let excerpt = "excerpt"
}

extension Tables {
  public static let items = Columns<ItemMatch>(
    ItemColumn.all.map { column in
      Column(column.name, isTime: column.isTime) { column.value($0.item) }
    } + [.text(ItemColumn.excerpt) { $0.excerpt?.plain }],
    defaults: ["id", "published", "feed", "title", "url"],
    json: ItemColumn.all.map(\.name)
  )
}

public import NewsCore

/// The names of an item's columns, and their values.
enum ItemField: String, CaseIterable, Sendable {
  case id
  case feedID = "feed_id"
  case feed
  case feedURL = "feed_url"
  case guid
  case title
  case url
  case authors
  case published
  case updated
  case stored
  case summary
  case contentText = "content_text"
  case contentHTML = "content_html"
  case tags
  case enclosures
  case language
  case isRead = "is_read"
  case isStarred = "is_starred"
  /// The state of the item's page: waiting, fetched or refused.
  case article
  case articleReason = "article_reason"
  /// The feed's own HTML, or its text if it has no HTML; set if the article has replaced it.
  case feedContentHTML = "feed_content_html"
  case seq
  /// The user's labels.
  case labels
  /// The address of a picture that represents the item.
  case image
  /// The address of a small picture that represents the item.
  case thumbnail
  /// The playing time in seconds.
  case duration
  case episode
  case season
  /// The address of the document with the chapters.
  case chapters
  /// The address of the first transcript.
  case transcript
  /// The excerpt of a match. Not a default column, because only searches have excerpts.
  case excerpt

  static let jsonColumns = allCases.filter { $0 != .excerpt }

  func value(of match: ItemMatch) -> FieldValue {
    self == .excerpt ? FieldValue(match.excerpt?.plain) : value(ofItem: match.item)
  }

  func value(ofItem item: NewsItem) -> FieldValue {
    switch self {
    case .id: .number(item.id.rawValue)
    case .feedID: .number(item.feedID.rawValue)
    case .feed: .text(item.feedTitle)
    case .feedURL: .text(item.feedURL)
    case .guid: .text(item.guid)
    case .title: .text(item.title)
    case .url: FieldValue(item.url)
    case .authors: .authors(item.authors)
    case .published: FieldValue(item.published)
    case .updated: FieldValue(item.updated)
    case .stored: .time(item.stored)
    case .summary: FieldValue(item.summary)
    case .contentText: .text(item.contentText)
    case .contentHTML: FieldValue(item.contentHTML)
    case .tags: .words(item.tags)
    case .enclosures: .enclosures(item.enclosures)
    case .language: FieldValue(item.language)
    case .isRead: .flag(item.isRead)
    case .isStarred: .flag(item.isStarred)
    case .seq: .number(item.sequence)
    case .labels: .words(item.labels)
    case .image: FieldValue(item.image ?? item.media?.pictures.first?.url)
    case .thumbnail: FieldValue(item.media?.thumbnail?.url)
    case .duration: FieldValue(item.media?.duration ?? item.enclosures.lazy.compactMap(\.duration).first)
    case .episode: FieldValue(item.media?.episode)
    case .season: FieldValue(item.media?.season)
    case .chapters: FieldValue(item.media?.chapters?.href)
    case .transcript: FieldValue(item.media?.transcripts.first?.href)
    case .article: FieldValue(item.article?.state.rawValue)
    case .articleReason: FieldValue(item.article?.reason)
    case .feedContentHTML: FieldValue(item.article.flatMap { $0.feedHTML ?? $0.feedText })
    case .excerpt: .none
    }
  }

  var isTime: Bool { [.published, .updated, .stored].contains(self) }

  /// The parts of items that the store must read for this column.
  var parts: ItemParts {
    switch self {
    case .contentText: .contentText
    case .contentHTML: .contentHTML
    case .excerpt: .excerpt
    case .authors, .tags, .labels, .enclosures, .image, .thumbnail, .duration, .episode, .season, .chapters,
      .transcript:
      .details
    case .article, .articleReason, .feedContentHTML: .article
    default: []
    }
  }
}

extension Tables {
  public static let items = Columns<ItemMatch>(
    ItemField.allCases.map { field in
      Column(field.rawValue, isTime: field.isTime) { field.value(of: $0) }
    },
    defaults: ["id", "published", "feed", "title", "url"],
    json: ItemField.jsonColumns.map(\.rawValue)
  )
}

import NewsStoresShared
import NewsCore

/// The texts of new and edited items, which a transaction writes after its changes to the other tables.
///
/// Each page of texts is written once, but those of the other tables are changed again and again. If the texts were
/// written in between, they would displace the other pages from the cache. SQLite would then write such pages to the
/// WAL early, and after another change to one of them, read back and renumber every later page of the transaction.
final class PendingContents {
  private struct Texts {
    var id: NewsItem.ID
    var author: String
    var summary: String?
    var details: String?
    var text: String
    var html: String?
  }

  private let connection: Connection
  private var items: [Texts] = []
  private var ids: Set<NewsItem.ID> = []

  init(_ connection: Connection) { self.connection = connection }

  func add(_ item: StoredItem, _ id: NewsItem.ID) {
    items.append(
      Texts(
        id: id,
        author: item.author,
        summary: item.summary,
        details: item.detailsText,
        text: item.text,
        html: item.html
      )
    )
    ids.insert(id)
  }

  func contains(_ id: NewsItem.ID) -> Bool { ids.contains(id) }

  /// Writes the texts in the order of their ids.
  func write() throws(StoreError) {
    items.sort { $0.id.rawValue < $1.id.rawValue }
    for item in items {
      let statement = try connection.prepare(
        "INSERT INTO contents (id, author, summary, details, text, html) VALUES (?, ?, ?, ?, ?, ?)"
      )
      try statement.bind(1, item.id.rawValue)
      try statement.bind(2, item.author)
      try statement.bind(3, item.summary)
      try statement.bind(4, item.details)
      try statement.bind(5, item.text)
      if let html = item.html {
        try statement.run(borrowing: html, at: 6)
      } else {
        try statement.run()
      }
    }
    items = []
    ids = []
  }
}

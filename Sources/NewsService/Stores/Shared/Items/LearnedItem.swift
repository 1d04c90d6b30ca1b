import NewsCore

/// What a stored item learns from a document without an edit, because an older newsd did not keep it.
struct LearnedItem {
  var id: NewsItem.ID
  var media: ItemMedia?
  /// The HTML if it has frames or MathML.
  var html: String?

  /// Nil if there is nothing to learn.
  init?(_ id: NewsItem.ID, _ item: StoredItem) {
    let html = item.html.flatMap { KeptMarkup.isIn($0) ? $0 : nil }
    guard item.details.media != nil || html != nil else { return nil }
    self.id = id
    media = item.details.media
    self.html = html
  }
}

extension StoreSession {
  /// Stores what items whose texts have not changed learn. This does not count as an edit: it adds no change to the log,
  /// no version, and no delivery of a hook.
  func learn(_ items: [LearnedItem]) throws(StoreError) {
    let said = Dictionary(items.map { ($0.id.rawValue, $0) }) { first, _ in first }
    var rest = Array(said.keys)[...]
    while !rest.isEmpty {
      // What is stored may be longer than what the document says.
      let part = Array(rest.prefix(try fitting(Array(rest.prefix(2000)), 4 << 20)))
      rest = rest.dropFirst(part.count)
      try learn(part, said)
    }
  }

  private func learn(_ ids: [Int64], _ said: [Int64: LearnedItem]) throws(StoreError) {
    var details: [(id: Int64, details: ItemDetails)] = []
    var texts: [(id: Int64, html: String, isArticle: Bool)] = []
    // With an article, the feed's own text is beside it.
    try forEachRow(
      """
      SELECT c.id, c.details, a.feed_text IS NOT NULL, CASE WHEN a.feed_text IS NULL THEN c.html ELSE a.feed_html END
      FROM contents AS c LEFT JOIN articles AS a ON a.item = c.id WHERE c.id \(Self.isOne(of: "$1"))
      """,
      StoreValue.integers(ids)
    ) { row in
      let id = row.int64(0)
      guard let new = said[id] else { return }
      var stored = ItemDetails(row.optionalString(1))
      if let media = new.media, stored.media != media {
        stored.media = media
        details.append((id, stored))
      }
      if let html = new.html, row.optionalString(3) != html { texts.append((id, html, row.bool(2))) }
    }
    for (id, details) in details {
      try run("UPDATE contents SET details = $1 WHERE id = $2", details.text, id)
    }
    for (id, html, isArticle) in texts {
      try run(
        isArticle
          ? "UPDATE articles SET feed_html = $1 WHERE item = $2"
          : "UPDATE contents SET html = $1 WHERE id = $2",
        html,
        id
      )
    }
  }
}

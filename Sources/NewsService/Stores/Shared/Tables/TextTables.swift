package import NewsCore
import NewsToolbox

// The texts that the user writes in place of those of a feed.

extension StoreSession {
  fileprivate func editText(
    of id: NewsItem.ID,
    title: String?,
    content: (html: String, text: String)?,
    at time: Timestamp
  ) throws(StoreError) {
    let found = try first(
      "SELECT i.title, c.author, c.text, c.html FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = $1",
      id
    ) { (title: $0.string(0), author: $0.string(1), text: $0.string(2), html: $0.optionalString(3)) }
    guard let old = found else { throw StoreError.noSuchItem(id) }
    let new = (title: (title ?? old.title).withoutNUL, text: (content?.text ?? old.text).withoutNUL)
    let html = content.map(\.html.withoutNUL) ?? old.html
    guard new.title != old.title || new.text != old.text || html != old.html else { return }
    try replaceWords(of: id, author: old.author, title: old.title, text: old.text, by: new)
    try keepVersion(
      of: id,
      title: old.title,
      text: old.text,
      newTitle: new.title,
      newText: new.text,
      at: time
    )
    // Clients must read the item again, although versions ignore small edits.
    try noteEdit(of: id, isSignificant: true)
    try noteChange(of: id, .updated)
    try run("UPDATE items SET title = $1 WHERE id = $2", new.title, id)
    try run("UPDATE contents SET text = $1, html = $2 WHERE id = $3", new.text, html, id)
    // An article would stay in place of the feed's next edit.
    if content != nil { try run("DELETE FROM articles WHERE item = $1", id) }
  }
}

extension TableStore {
  package func editText(
    of id: NewsItem.ID,
    title: String?,
    content: (html: String, text: String)?,
    at time: Timestamp
  ) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.editText(of: id, title: title, content: content, at: time)
    }
  }
}

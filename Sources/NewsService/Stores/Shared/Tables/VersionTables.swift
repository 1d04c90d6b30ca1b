package import NewsCore

// Earlier texts of items. Numbers ascend with time; each version is stored as a delta from the next one.

extension StoreSession {
  /// Stores the old text if the edit is significant.
  package func keepVersion(
    of id: NewsItem.ID,
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    at time: Timestamp
  ) throws(StoreError) {
    try keepVersion(of: id, title: title, text: text, newTitle: newTitle, newText: newText, at: time) {
      () throws(StoreError) in
      try rows("SELECT number, delta FROM versions WHERE item = $1 ORDER BY number DESC LIMIT 1", id) {
        (number: $0.int64(0), delta: TextDelta(bytes: $0.bytes(1)))
      }.first
    }
  }

  /// Stores the old text if the edit is significant. `latest` returns the latest stored version.
  package func keepVersion(
    of id: NewsItem.ID,
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    at time: Timestamp,
    latest: () throws(StoreError) -> (number: Int64, delta: TextDelta)?
  ) throws(StoreError) {
    let change = try VersionChange(
      title: title,
      text: text,
      newTitle: newTitle,
      newText: newText
    ) { () throws(StoreError) in
      guard let latest = try latest() else { return nil }
      guard (0..<Counter.bound).contains(latest.number) else {
        throw StoreError(
          code: .corrupt,
          message:
            "the store \(name) is damaged: its table 'versions' has the number \(latest.number) for item "
            + "\(id.rawValue); run 'newsd check --repair'"
        )
      }
      return latest
    }
    var isSignificant = false
    if case .add = change { isSignificant = true }
    try noteEdit(of: id, isSignificant: isSignificant)
    switch change {
    case .none: break
    case .add(let number, let delta):
      try insertVersion(of: id, number: number, at: time, title: title, delta)
      // Delete the oldest versions. No other version depends on them, because each is a delta from the next one.
      let last = number - VersionChange.maximumCount
      if last > 0 { try run("DELETE FROM versions WHERE item = $1 AND number <= $2", id, last) }
    case .rebase(let number, let delta):
      try run(
        "UPDATE versions SET delta = $1 WHERE item = $2 AND number = $3",
        StoreValue.bytes(delta.bytes),
        id,
        number
      )
    }
  }

  package func insertVersion(
    of id: NewsItem.ID,
    number: Int64,
    at time: Timestamp,
    title: String,
    _ delta: TextDelta
  ) throws(StoreError) {
    try run(
      "INSERT INTO versions (item, number, time, title, delta) VALUES ($1, $2, $3, $4, $5)",
      id,
      number,
      time,
      title,
      StoreValue.bytes(delta.bytes)
    )
  }

  /// Returns all versions, oldest first, without the current text.
  package func versions(of id: NewsItem.ID, text: String) throws(StoreError) -> [ItemVersion] {
    var versions: [ItemVersion] = []
    var text = text
    let stored = try rows(
      "SELECT number, time, title, delta FROM versions WHERE item = $1 ORDER BY number DESC",
      id
    ) { (number: $0.count(0), time: $0.time(1), title: $0.string(2), delta: TextDelta(bytes: $0.bytes(3))) }
    for version in stored {
      guard let earlier = version.delta.applied(to: text) else { break }
      text = earlier
      versions.append(
        ItemVersion(
          number: version.number,
          replaced: version.time ?? Timestamp(seconds: 0),
          title: version.title,
          text: text
        )
      )
    }
    return versions.reversed()
  }
}

extension TableStore {
  package func versions(of id: NewsItem.ID) async throws(StoreError) -> [ItemVersion] {
    try await snapshot { (session) throws(StoreError) in
      let text = try session.rows("SELECT text FROM contents WHERE id = $1", id) { $0.string(0) }.first
      guard let text else { throw StoreError.noSuchItem(id) }
      return try session.versions(of: id, text: text)
    }
  }
}

/// The effect of an edit on the stored versions of an item. Each version is a delta from the next one.
package enum VersionChange {
  /// Maximum number of versions per item: a price or clock in the text produces a new one at every poll.
  package static let maximumCount: Int64 = 50

  case none
  /// Store the old text as a version, and delete versions up to `number - maximumCount`.
  case add(number: Int64, delta: TextDelta)
  /// The latest version is a delta from the text being replaced; store it as a delta from the new text.
  case rebase(number: Int64, delta: TextDelta)

  /// Decides how an edit changes the stored versions. Stores the old text if the edit is significant; earlier versions
  /// stay readable in either case. `latest` returns the latest stored version.
  package init(
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    latest: () throws(StoreError) -> (number: Int64, delta: TextDelta)?
  ) throws(StoreError) {
    self = .none
    guard title != newTitle || text != newText else { return }
    let isSignificant = EditSignificance.isSignificant(
      title: title,
      text: text,
      newTitle: newTitle,
      newText: newText
    )
    let latest = try latest()
    if isSignificant {
      self = .add(number: (latest?.number ?? 0) + 1, delta: TextDelta(from: newText, to: text))
    } else if let latest, text != newText, let earlier = latest.delta.applied(to: text) {
      self = .rebase(number: latest.number, delta: TextDelta(from: newText, to: earlier))
    }
  }
}

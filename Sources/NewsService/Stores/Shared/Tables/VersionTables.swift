package import NewsCore
package import NewsToolbox

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
      let last = number - Int64(ItemVersion.most)
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

  /// Returns the newest versions, oldest first, without the current text, as `ItemReading.versions` does.
  func versions(of id: NewsItem.ID, text: String, newest count: Int) throws(StoreError) -> [ItemVersion] {
    var versions: [ItemVersion] = []
    var bytes = 0
    try forEachVersion(of: id, text: text, newest: count) { version in
      bytes += version.title.utf8.count + version.text.utf8.count
      guard versions.isEmpty || bytes <= ItemVersion.mostBytes else { return false }
      versions.append(version)
      return bytes < ItemVersion.mostBytes
    }
    return versions.reversed()
  }

  /// Adds the item's versions to its line of an export. The texts beyond `ItemVersion.mostBytes` are written as changes of
  /// the next ones, so that the line is not much longer than what the store has.
  package func addVersions(of id: NewsItem.ID, text: String, to line: JSONValue) throws(StoreError)
    -> JSONValue
  {
    var versions: [JSONValue] = []
    var bytes = 0
    var later = text
    try forEachVersion(of: id, text: text, newest: ItemVersion.most) { version in
      bytes += version.title.utf8.count + version.text.utf8.count
      versions.append(ExportLine.version(version, changing: bytes > ItemVersion.mostBytes ? later : nil))
      later = version.text
      return true
    }
    return ExportLine.with(versions.reversed(), line)
  }

  /// Passes the newest versions to `body`, newest first, until it returns false. Reads about a megabyte of deltas at a time.
  private func forEachVersion(
    of id: NewsItem.ID,
    text: String,
    newest count: Int,
    _ body: (ItemVersion) -> Bool
  ) throws(StoreError) {
    let sizes = try rows(
      """
      SELECT number, \(Self.byteCount(of: "title")) + \(Self.byteCount(of: "delta")) FROM versions WHERE item = $1
      ORDER BY number DESC LIMIT $2
      """,
      id,
      min(count, ItemVersion.most)
    ) { (number: $0.int64(0), bytes: $0.int64(1)) }
    var waiting = sizes[...]
    var text = text
    while let first = waiting.popFirst() {
      var bytes = first.bytes
      var last = first
      while let next = waiting.first, bytes + next.bytes <= 1 << 20 {
        bytes += next.bytes
        last = next
        waiting.removeFirst()
      }
      let stored = try rows(
        """
        SELECT number, time, title, delta FROM versions WHERE item = $1 AND number <= $2 AND number >= $3
        ORDER BY number DESC
        """,
        id,
        first.number,
        last.number
      ) { (number: $0.count(0), time: $0.time(1), title: $0.string(2), delta: TextDelta(bytes: $0.bytes(3))) }
      for version in stored {
        guard let earlier = version.delta.applied(to: text) else { return }
        text = earlier
        let isWanted = body(
          ItemVersion(
            number: version.number,
            replaced: version.time ?? Timestamp(seconds: 0),
            title: version.title,
            text: text
          )
        )
        guard isWanted else { return }
      }
    }
  }
}

extension TableStore {
  package func versions(of id: NewsItem.ID, newest count: Int) async throws(StoreError) -> [ItemVersion] {
    try await snapshot { (session) throws(StoreError) in
      let text = try session.rows("SELECT text FROM contents WHERE id = $1", id) { $0.string(0) }.first
      guard let text else { throw StoreError.noSuchItem(id) }
      return try session.versions(of: id, text: text, newest: count)
    }
  }
}

/// The effect of an edit on the stored versions of an item. Each version is a delta from the next one.
package enum VersionChange {
  case none
  /// Store the old text as a version, and delete versions up to `number - ItemVersion.most`.
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
    guard title.streamSafe != newTitle || text.streamSafe != newText else { return }
    let isSignificant = EditSignificance.isSignificant(
      title: title,
      text: text,
      newTitle: newTitle,
      newText: newText
    )
    let latest = try latest()
    if isSignificant {
      self = .add(number: (latest?.number ?? 0) + 1, delta: TextDelta(from: newText, to: text))
    } else if let latest, text.streamSafe != newText, let earlier = latest.delta.applied(to: text) {
      self = .rebase(number: latest.number, delta: TextDelta(from: newText, to: earlier))
    }
  }
}

package import NewsCore
import NewsSearch
import NewsToolbox

// The states of items and the labels that the user gives them.

/// Changes the states of items with separate statements for each item.
package struct ItemMarker<Session: StoreSession>: StateMarker {
  private let session: Session
  private var sequence: Int64
  private let firstSequence: Int64
  private var unread: [Int64: Int64] = [:]
  private var starred: Int64 = 0
  package private(set) var events: [ItemEvent] = []
  package private(set) var changed: [NewsItem.ID] = []
  /// The SQL for each mark, made once because it runs for every item.
  private let statements: [ItemMark: (reading: String, setting: String)]
  private let story: String

  package init(_ session: Session) throws(StoreError) {
    self.session = session
    statements = Dictionary(uniqueKeysWithValues: ItemMark.allCases.map { ($0, Self.statements($0)) })
    story = "SELECT id FROM items AS i WHERE cluster = $1 AND id <> $2 ORDER BY \(Session.newestFirst)"
    firstSequence = try session.lastNumber(.sequence)
    sequence = firstSequence
  }

  package mutating func mark(_ id: NewsItem.ID, _ mark: ItemMark) throws(StoreError) {
    try set(mark, id)
  }

  /// Marks an item, and returns the number of its story. Returns nil for an item without a story, and for an unknown item.
  @discardableResult
  private mutating func set(_ mark: ItemMark, _ id: NewsItem.ID) throws(StoreError) -> Int64? {
    guard let sql = statements[mark] else { return nil }
    let found = try session.first(sql.reading, id) {
      (feed: $0.int64(0), story: $0.optionalInt64(1), value: $0.int64(2))
    }
    guard let found, found.value != Self.value(mark) else { return found?.story }
    sequence += 1
    try session.run(sql.setting, sequence, id)
    changed.append(id)
    switch mark {
    case .read: unread[found.feed, default: 0] -= 1
    case .unread: unread[found.feed, default: 0] += 1
    case .starred: starred += 1
    case .unstarred: starred -= 1
    }
    if let event = mark.event { events.append(ItemEvent(event, id, sequence: sequence)) }
    return found.story
  }

  private static func value(_ mark: ItemMark) -> Int64 { mark == .read || mark == .starred ? 1 : 0 }

  /// Reading first takes half the time of an `UPDATE … RETURNING`, for which SQLite copies each page that it is about to
  /// change to a statement journal.
  private static func statements(_ mark: ItemMark) -> (reading: String, setting: String) {
    let column = mark == .read || mark == .unread ? "is_read" : "is_starred"
    return (
      "SELECT feed, cluster, \(column) FROM items WHERE id = $1",
      """
      UPDATE items SET \(column) = \(value(mark)), sequence = $1, change = \(ChangeKind.state.rawValue) WHERE id = $2
      """
    )
  }

  package mutating func markStory(of id: NewsItem.ID, _ mark: ItemMark) throws(StoreError) {
    guard let number = try set(mark, id), mark == .read else { return }
    let others = try session.rows(story, number, id) { NewsItem.ID(rawValue: $0.int64(0)) }
    for other in others.reversed() { try self.mark(other, .read) }
  }

  package mutating func note(_ id: NewsItem.ID, added labels: [String]) throws(StoreError) {
    sequence += 1
    if !labels.isEmpty { events.append(ItemEvent(.labelled, id, sequence: sequence, labels: labels)) }
    try session.run(
      "UPDATE items SET sequence = $1, change = \(ChangeKind.state.rawValue) WHERE id = $2",
      sequence,
      id
    )
  }

  package mutating func finish(checking ids: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID> {
    try writeTotals()
    return try ids.isEmpty ? [] : session.existing(ids)
  }

  private func writeTotals() throws(StoreError) {
    for (feed, change) in unread.sorted(by: { $0.key < $1.key }) where change != 0 {
      try session.run("UPDATE feeds SET unread = unread + $1 WHERE id = $2", change, feed)
    }
    guard sequence != firstSequence else { return }
    try session.add([
      .unread: unread.values.reduce(0, +), .starred: starred, .sequence: sequence - firstSequence,
    ])
    try session.notify()
  }
}

extension StoreSession {
  /// Returns the ids for which items exist.
  fileprivate func existing(_ ids: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID> {
    Set(
      try rows(
        "SELECT id FROM items WHERE id \(Self.isOne(of: "$1"))",
        StoreValue.integers(ids.map(\.rawValue))
      ) { NewsItem.ID(rawValue: $0.int64(0)) }
    )
  }

  // MARK: Labels

  package static var labelTable: String { "item_labels" }

  /// Returns true if an item has a label.
  package func hasLabels() throws(StoreError) -> Bool {
    guard try has(Self.labelTable) else { return false }
    return try number("SELECT 1 FROM item_labels LIMIT 1") != nil
  }

  /// Returns the labels with this name in any case of letters.
  package func labels(named name: String) throws(StoreError) -> [String] {
    let name = name.lowercased()
    return try labelNames().filter { $0.lowercased() == name }
  }

  fileprivate func refuseManyLabels(of item: NewsItem.ID) throws(StoreError) {
    let count = try number("SELECT count(*) FROM item_labels WHERE item = $1", item) ?? 0
    guard count > ItemLabel.mostOfItem else { return }
    throw StoreError(code: .badQuery, message: "an item has at most \(ItemLabel.mostOfItem) labels")
  }

  /// Returns the names of all labels, sorted. Reads each label once, however many items have it.
  package func labelNames() throws(StoreError) -> [String] {
    guard try has(Self.labelTable) else { return [] }
    return try rows(
      """
      WITH RECURSIVE labels (label) AS (
        SELECT min(label) FROM item_labels
        UNION ALL SELECT (SELECT min(label) FROM item_labels AS l WHERE l.label > labels.label) FROM labels
        WHERE label IS NOT NULL)
      SELECT label FROM labels WHERE label IS NOT NULL ORDER BY label
      """
    ) { $0.string(0) }
  }

  /// Returns the labels of items, sorted by name.
  package func labels(of ids: [Int64]) throws(StoreError) -> [Int64: [String]] {
    guard try has(Self.labelTable) else { return [:] }
    let found = try rows(
      "SELECT item, label FROM item_labels WHERE item \(Self.isOne(of: "$1")) ORDER BY label",
      StoreValue.integers(ids)
    ) { (item: $0.int64(0), label: $0.string(1)) }
    return Dictionary(grouping: found, by: \.item).mapValues { $0.map(\.label) }
  }

  /// Adds a label to an item. Returns true if the item did not have it.
  @discardableResult
  package func add(label: String, to id: NewsItem.ID) throws(StoreError) -> Bool {
    try count(
      "INSERT INTO item_labels (label, item) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
      label,
      id
    ) > 0
  }

  /// Adds labels to an item until it has as many as an item may have. Returns the labels that it did not have.
  @discardableResult
  func add(labels: [String], to id: NewsItem.ID) throws(StoreError) -> [String] {
    guard !labels.isEmpty else { return [] }
    var count = try number("SELECT count(*) FROM item_labels WHERE item = $1", id) ?? 0
    var added: [String] = []
    for label in labels where count < ItemLabel.mostOfItem {
      guard try add(label: label, to: id) else { continue }
      added.append(label)
      count += 1
    }
    return added
  }

  /// Removes a label from an item. Returns true if the item had it.
  @discardableResult
  fileprivate func remove(label: String, from id: NewsItem.ID) throws(StoreError) -> Bool {
    try count("DELETE FROM item_labels WHERE label = $1 AND item = $2 RETURNING 1", label, id) > 0
  }
}

/// How many items are read together for the queries of hooks at most, and how many bytes of text end that before.
private let (itemsRead, bytesRead) = (200, 4 << 20)

extension StoreSession {
  /// Adds changes that the user made to the outbox of every hook that fires for them. Above the quota, the changes are made
  /// without deliveries: items must be read and stars be removed before anything can be pruned.
  fileprivate func report(_ events: [ItemEvent]) throws(StoreError) {
    guard !events.isEmpty, try has(Self.lastPartOfHooks) else { return }
    let book = try HookBook(self, with: Set(events.map(\.event)))
    guard !book.isEmpty, try quotaProblem() == nil else { return }
    let time = try currentTime()
    var rest = events[...]
    while !rest.isEmpty {
      var part = Array(rest.prefix(itemsRead))
      var known: [NewsItem.ID: MatchSubject] = [:]
      if book.hasQueries {
        let (found, count) = try items(part.map(\.item.rawValue), parts: .all, within: bytesRead)
        part = Array(part.prefix(count))
        known = try subjects(found.values.map(\.item))
      }
      try book.report(part, known, at: time, self)
      rest = rest.dropFirst(part.count)
    }
  }

  private func subjects(_ items: [NewsItem]) throws(StoreError) -> [NewsItem.ID: MatchSubject] {
    var folders: [Feed.ID: String] = [:]
    for id in Set(items.map(\.feedID)) { folders[id] = try feed(id)?.folder }
    return Dictionary(items.map { ($0.id, MatchSubject($0, folder: folders[$0.feedID])) }) { first, _ in first
    }
  }
}

/// Maximum number of ids per transaction of `mark`. Limits the time that other writers wait to less than a second. Between two
/// transactions, the store pauses for them, so smaller ones would only take longer.
private let portion = 4000

extension TableStore {
  package func apply(_ mark: ItemMark, to ids: [NewsItem.ID]) async throws(StoreError) -> MarkOutcome {
    var outcome = MarkOutcome()
    var start = 0
    while start < ids.count {
      let part = Array(ids[start..<min(start + portion, ids.count)])
      let done = try await transaction { (session) throws(StoreError) in
        var marker = try session.makeMarker()
        for id in part { try marker.markStory(of: id, mark) }
        let known = try marker.finish(checking: part)
        try session.report(marker.events)
        return MarkOutcome(changed: marker.changed, missing: part.filter { !known.contains($0) })
      }
      outcome.changed += done.changed
      outcome.missing += done.missing
      start += part.count
      if start < ids.count { letOthersWrite() }
    }
    return outcome
  }
}

extension TableStore {
  package func mark(
    _ marks: [LateMark]
  ) async throws(StoreError) -> [(mark: LateMark, refusal: LateMark.Refusal)] {
    var refused: [(mark: LateMark, refusal: LateMark.Refusal)] = []
    for start in stride(from: 0, to: marks.count, by: portion) {
      let part = Array(marks[start..<min(start + portion, marks.count)])
      refused += try await transaction { (session) throws(StoreError) in
        let known = try session.existing(part.map(\.item))
        let last = try session.timesOfMarks(of: part.map(\.item))
        let now = try session.currentTime()
        var refused: [(mark: LateMark, refusal: LateMark.Refusal)] = []
        var marker = try session.makeMarker()
        var made: [LateMark] = []
        for mark in part {
          if !known.contains(mark.item) {
            refused.append((mark, .noSuchItem))
          } else if let time = last[mark.item], time > mark.time, time <= now {
            // A clock that was ahead has written a later time, which says nothing.
            refused.append((mark, .overtaken))
          } else {
            try marker.markStory(of: mark.item, mark.mark)
            made.append(mark)
          }
        }
        try marker.finish()
        try session.report(marker.events)
        for mark in made { try session.note(mark) }
        return refused
      }
    }
    return refused
  }

  package func save(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID] {
    try await transaction { (session) throws(StoreError) in
      let known = try session.existing(ids)
      let saved = ids.filter(known.contains)
      if !saved.isEmpty {
        let last = try session.add(Int64(saved.count), to: .sequence)
        let first = last - Int64(saved.count) + 1
        try session.report(
          saved.enumerated().map { ItemEvent(.saved, $0.element, sequence: first + Int64($0.offset)) }
        )
      }
      return ids.filter { !known.contains($0) }
    }
  }

  @discardableResult
  package func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID] {
    for label in edit.addedLabels { try ItemLabel.check(label) }
    guard max(edit.addedLabels.count, edit.removedLabels.count) <= ItemLabel.mostInRequest else {
      throw StoreError(
        code: .badQuery,
        message: "one request changes at most \(ItemLabel.mostInRequest) labels; change them in parts"
      )
    }
    return try await transaction { (session) throws(StoreError) in
      if !edit.addedLabels.isEmpty { try session.refuseAboveQuota() }
      let known = try session.existing(ids)
      var marker = try session.makeMarker()
      var labels = QuotaPace()
      for id in ids where known.contains(id) {
        for mark in edit.marks { try marker.markStory(of: id, mark) }
        var added: [String] = []
        for label in edit.addedLabels where try session.add(label: label, to: id) { added.append(label) }
        if !added.isEmpty {
          try session.refuseManyLabels(of: id)
          if labels.isDue(after: added.count) { try session.refuseAboveQuota() }
        }
        var isChanged = !added.isEmpty
        for label in edit.removedLabels where try session.remove(label: label, from: id) { isChanged = true }
        if isChanged { try marker.note(id, added: added) }
      }
      try marker.finish()
      try session.report(marker.events)
      return ids.filter { !known.contains($0) }
    }
  }

  package func markRead(_ request: StreamRequest) async throws(StoreError) -> Int {
    try await transaction { (session) throws(StoreError) in
      let ids = try StreamSelection(request, limit: .max, session).unread()
      var marker = try session.makeMarker()
      for id in ids { try marker.markStory(of: id, .read) }
      try marker.finish()
      return ids.count
    }
  }

  package func relabel(_ label: String, to name: String?) async throws(StoreError) {
    if let name { try ItemLabel.check(name) }
    try await transaction { (session) throws(StoreError) in
      let items = try session.rows("SELECT item FROM item_labels WHERE label = $1 ORDER BY item", label) {
        NewsItem.ID(rawValue: $0.int64(0))
      }
      var marker = try session.makeMarker()
      let grows = (name?.utf8.count ?? 0) > label.utf8.count
      if grows { try session.refuseAboveQuota() }
      var labels = QuotaPace()
      for item in items {
        try session.remove(label: label, from: item)
        if let name { try session.add(label: name, to: item) }
        if grows, labels.isDue(after: 1) { try session.refuseAboveQuota() }
        try marker.note(item, added: [])
      }
      try marker.finish()
    }
  }

  package func moveFolder(_ folder: String, to name: String?) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      if let name {
        if name.utf8.count > folder.utf8.count { try session.refuseAboveQuota() }
        try session.moveSettings(ofFolder: folder, to: name)
      } else {
        try session.forgetMadeFolder(folder)
      }
      let feeds = try session.rows("SELECT id, folder FROM feeds WHERE folder IS NOT NULL ORDER BY id") {
        (id: Feed.ID(rawValue: $0.int64(0)), folder: $0.string(1))
      }
      for feed in feeds {
        var target = name.flatMap(FolderPath.cleaned)
        if feed.folder != folder {
          guard let name, feed.folder.hasPrefix(bytesOf: folder + "/") else { continue }
          target = FolderPath.cleaned(name + feed.folder.slice(folder.utf8.count...))
        }
        try GivenName.check(target, of: "a folder")
        let settings = try session.inherited(try session.existingFeed(feed.id).settings, folder: target)
        try session.run(
          "UPDATE feeds SET folder = $1, settings = $2 WHERE id = $3",
          target,
          settings.storedText,
          feed.id
        )
        try session.noteChange(of: feed.id)
      }
    }
  }
}

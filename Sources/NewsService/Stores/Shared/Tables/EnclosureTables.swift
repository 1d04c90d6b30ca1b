package import NewsCore
import NewsToolbox

// The numbers of enclosures, and how far they have been played.
//
// An item's enclosures are numbered in their order. The table has rows for the enclosures of an item only if the order no
// longer gives the numbers, or if one of the enclosures has been played.

private struct StoredState {
  var number: Int64
  var position: Int64 = 0
  var isPlayed = false
  /// When it was last played; nil: never.
  var changed: Timestamp?
}

/// Number of enclosures of an item that were played and that the item no longer has, of which the store keeps the state.
private let keptFormer = 50

/// Returns the states to keep when an item's enclosures have the URLs `present`: of these URLs, of the URLs that were played last,
/// and the one with the highest number, so that no number is given twice. A URL that is signed anew at every poll is never played.
private func kept(_ states: [String: StoredState], present: Set<String>) -> [String: StoredState] {
  let highest = states.values.map(\.number).max()
  let former = states.filter { !present.contains($0.key) }
  let played = former.filter { $0.value.changed != nil || $0.value.isPlayed || $0.value.position > 0 }
  let last = played.sorted {
    ($0.value.changed?.seconds ?? 0, $0.value.number) > ($1.value.changed?.seconds ?? 0, $1.value.number)
  }
  let keptURLs = present.union(last.prefix(keptFormer).map(\.key))
  return states.filter { keptURLs.contains($0.key) || $0.value.number == highest }
}

/// Numbers the enclosures of an item. Of several with the same URL, the first one counts.
private func states(_ enclosures: [Enclosure], _ stored: [String: StoredState]) -> [EnclosureState] {
  var next = (stored.values.map(\.number).max() ?? -1) + 1
  var seen: Set<String> = []
  var states: [EnclosureState] = []
  for enclosure in enclosures where seen.insert(enclosure.url).inserted {
    if let known = stored[enclosure.url] {
      states.append(
        EnclosureState(
          enclosure,
          number: known.number,
          position: known.position,
          isPlayed: known.isPlayed
        )
      )
    } else {
      states.append(EnclosureState(enclosure, number: next))
      next += 1
    }
  }
  return states
}

extension StoreSession {
  package static var enclosureTable: String { "enclosures" }

  private func stored(_ ids: [Int64]) throws(StoreError) -> [Int64: [String: StoredState]] {
    guard !ids.isEmpty, try has(Self.enclosureTable) else { return [:] }
    var stored: [Int64: [String: StoredState]] = [:]
    try forEachRow(
      """
      SELECT item, url, number, position, is_played, changed FROM enclosures WHERE item \(Self.isOne(of: "$1"))
      """,
      StoreValue.integers(ids)
    ) { row in
      let state = StoredState(
        number: Int64(row.count(2)),
        position: Int64(row.count(3)),
        isPlayed: row.bool(4),
        changed: row.time(5)
      )
      stored[row.int64(0), default: [:]][row.string(1).streamSafe] = state
    }
    return stored
  }

  /// Returns the enclosures of the items that have some.
  func enclosures(of items: some Collection<NewsItem>) throws(StoreError) -> [NewsItem.ID: [EnclosureState]] {
    let items = items.filter { !$0.enclosures.isEmpty }
    let stored = try stored(items.map(\.id.rawValue))
    return Dictionary(items.map { ($0.id, states($0.enclosures, stored[$0.id.rawValue] ?? [:])) }) { $1 }
  }

  /// Keeps the numbers of an item's enclosures when the feed replaces them. Forgets former enclosures that were never played.
  package func keepNumbers(
    ofEnclosures former: [Enclosure],
    of id: NewsItem.ID,
    replacing new: [Enclosure]
  ) throws(StoreError) {
    guard !former.isEmpty, !new.map(\.url).starts(with: former.map(\.url)) else { return }
    let stored = try stored([id.rawValue])[id.rawValue] ?? [:]
    let states = states(former, stored)
    let all = stored.merging(
      states.map { ($0.enclosure.url, StoredState(number: $0.number)) }
    ) { stored, _ in stored }
    let kept = kept(all, present: Set(new.map(\.url)))
    let forgotten = stored.filter { kept[$0.key] == nil }.map(\.value.number)
    if !forgotten.isEmpty {
      try run(
        "DELETE FROM enclosures WHERE item = $1 AND number \(Self.isOne(of: "$2"))",
        id,
        StoreValue.integers(forgotten)
      )
    }
    try insert(states.filter { kept[$0.enclosure.url] != nil }, of: id)
  }

  private func insert(_ states: [EnclosureState], of id: NewsItem.ID) throws(StoreError) {
    for state in states {
      try run(
        "INSERT INTO enclosures (item, number, url) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        id,
        state.number,
        state.enclosure.url
      )
    }
  }

  fileprivate func change(
    _ number: Int64,
    of id: NewsItem.ID,
    position: Int64?,
    isPlayed: Bool?,
    at time: Timestamp
  ) throws(StoreError) {
    guard let item = try items([id.rawValue], parts: .all)[id.rawValue]?.item,
      let states = try enclosures(of: [item])[id], states.contains(where: { $0.number == number })
    else { throw StoreError.noSuchItem(id) }
    try insert(states, of: id)
    try run(
      """
      UPDATE enclosures SET position = coalesce(CAST($1 AS bigint), position),
        is_played = coalesce(CAST($2 AS bigint), is_played), changed = $3
      WHERE item = $4 AND number = $5 AND (changed IS NULL OR changed <= $3)
      """,
      StoreValue(position),
      StoreValue(isPlayed.map { $0 ? Int64(1) : 0 }),
      time,
      id,
      number
    )
  }
}

extension TableStore {
  package func changeEnclosure(
    _ number: Int64,
    of id: NewsItem.ID,
    position: Int64?,
    isPlayed: Bool?,
    at time: Timestamp
  ) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      try session.change(number, of: id, position: position, isPlayed: isPlayed, at: time)
    }
  }
}

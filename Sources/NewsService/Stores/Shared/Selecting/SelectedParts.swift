package import NewsCore
import NewsSearch

/// The parts of a request for items, by the way in which they are selected.
package struct SelectedParts {
  /// The request with saved searches expanded.
  package let request: ItemRequest
  /// The parts that the full-text index answers.
  package private(set) var words: [Query] = []
  /// The parts that are checked for each item.
  package private(set) var others: [Query] = []
  package private(set) var since: Timestamp?
  package private(set) var until: Timestamp?
  /// SQL conditions on `items AS i` for the arrivals that the request is limited to.
  package private(set) var conditions: [String] = []

  /// `isWords` is true for a query that the index answers, alone or together with others.
  package init(
    _ request: ItemRequest,
    _ session: some StoreSession,
    isWords: (Query) -> Bool
  ) throws(StoreError) {
    var request = request
    request.query = try session.expanded(request.query)
    self.request = request
    if let arrivals = request.arrivals {
      conditions.append("i.sequence > \(arrivals.after)")
      conditions.append("i.first_sequence > \(arrivals.after) AND i.first_sequence <= \(arrivals.through)")
    }
    for part in request.query.conjuncts {
      switch part {
      case .since(let time): since = max(since ?? time, time)
      case .until(let time): until = min(until ?? time, time)
      case .not(let inner): if isWords(inner) { words.append(part) } else { others.append(part) }
      default: if isWords(part) { words.append(part) } else { others.append(part) }
      }
    }
  }

  /// Checks all parts for each item: no word is required, so the index has nothing to look up.
  package mutating func checkWords() {
    others = words + others
    words = []
  }

  package var isDescending: Bool { request.order != .oldest }

  /// Returns the number of items if the store keeps that total; nil if items must be counted.
  package func keptTotal(_ session: some StoreSession) throws(StoreError) -> Int? {
    guard words.isEmpty, since == nil, until == nil, !request.foldsStories, request.continuing == nil,
      request.arrivals == nil
    else { return nil }
    switch request.query {
    case .all: return Int(try session.value(of: .items))
    case .isRead(false): return Int(try session.value(of: .unread))
    case .isStarred(true): return Int(try session.value(of: .starred))
    case .feedID(let id): return Int(try session.number("SELECT items FROM feeds WHERE id = $1", id) ?? 0)
    default: return nil
    }
  }

  /// Describes how the request is executed. `candidates` is the number of newest hits that are ranked by relevance.
  package func plan(index: String, candidates: Int) -> [String] {
    let order =
      switch request.order {
      case .relevance where !words.isEmpty:
        "the best of the newest \(candidates) hits (a hit in the title before hits in the text)"
      case .oldest: "the oldest first"
      default: "the newest first"
      }
    var lines = ["order: \(order)", "index: \(index)"]
    if since != nil || until != nil { lines.append("range of time: only that part of the index is read") }
    return lines + others.map { "then asked of each item: \(QueryPrinter.text($0))" }
  }
}

extension StoreSession {
  /// Replaces the saved searches in a query by their queries.
  package func expanded(_ query: Query) throws(StoreError) -> Query {
    try QueryExpansion.expand(query) { (name) throws(StoreError) in try savedQuery(name) }
  }
}

/// Divides a list into batches of at most `size` elements, until `consume` returns false. Returns false then.
package func inBatches<Element>(
  of size: Int,
  _ list: some RandomAccessCollection<Element>,
  _ consume: ([Element]) async throws -> Bool
) async rethrows -> Bool {
  // An array that is one batch is passed on without a copy.
  guard list.count > size else { return list.isEmpty ? true : try await consume(Array(list)) }
  var rest = list[...]
  while !rest.isEmpty {
    guard try await consume(Array(rest.prefix(size))) else { return false }
    rest = rest.dropFirst(size)
  }
  return true
}

/// A page of a list that is read in several snapshots.
package struct ItemPage<Place: Sendable>: Sendable {
  package var matches: [ItemMatch] = []
  /// The number of selected items, of which some may have been removed since.
  package var count = 0
  package var last: Place?

  package init() {}
}

/// Reads the pages of a request, each in its own snapshot, so that a slow consumer of the output does not block
/// checkpoints, and passes them on in batches of at most `size` items.
package func forEachPage<Place>(
  of request: ItemRequest,
  in size: Int,
  _ consume: ([ItemMatch]) throws -> Bool,
  page: (ItemRequest, _ after: Place?) async throws(StoreError) -> ItemPage<Place>
) async throws {
  var request = request
  var after: Place?
  var left = request.limit ?? .max
  while left > 0 {
    request.limit = min(max(size, 500), left)
    let page = try await page(request, after)
    guard try await inBatches(of: size, page.matches, consume) else { return }
    left -= page.count
    guard let last = page.last, page.count == request.limit else { return }
    after = last
    request.offset = 0
  }
}

import NewsSearch
import NewsStoresShared
import NewsCore
import NewsToolbox

/// Finds the items of a request, in order.
///
/// newsd chooses how words are looked up: first in the newest items, which suffices for common words, then in the
/// index. The server's planner would scan a million items for a word that occurs in two.
struct Selection {
  /// An item's place in lists.
  struct Place: Hashable {
    var id: Int64
    var sort: Int64
  }

  /// Number of newest items in which words are looked up before the index is used.
  private static let walk = 500
  /// Number of items read at once to check them with `QueryMatcher` or to fold clusters. A search by
  /// relevance checks all its candidates at once.
  private static let portion = 500

  /// The request with saved searches expanded.
  let request: ItemRequest
  private let connection: Connection
  private let values = ItemCondition.Values()
  /// The word query that the index answers; nil if the selection reads `items` instead.
  private(set) var words: WordQuery?
  /// The same part of the query as `words`, as a `Query`; used to rank by relevance.
  private(set) var wordQuery: Query = .all
  private var wordCondition = ""
  /// Conditions on `i`, joined by AND.
  private var conditions: [String] = []
  /// Conditions on the column `sort`, which `items` and `words` have.
  private var range: [String] = []
  /// The parts that are checked for each item, for `plan`.
  private var perItemParts: [Query] = []
  private let checker: QueryMatcher?
  /// The last item of the previous batch, if the request is read in several batches.
  var after: Place?
  /// The place of `request.continuing`; the list starts after it.
  private var boundary: Place?

  init(_ request: ItemRequest, _ connection: Connection) throws(StoreError) {
    var request = request
    request.query = try QueryExpansion.expand(request.query) { (name) throws(StoreError) in
      try connection.savedQuery(name)
    }
    self.request = request
    self.connection = connection
    if let id = request.continuing {
      let row = try connection.query("SELECT sort FROM items WHERE id = $1", id.rawValue).first
      guard let row else { throw StoreError.noSuchItem(id) }
      boundary = Place(id: id.rawValue, sort: row.int64(0))
    }
    if let arrivals = request.arrivals {
      conditions.append("i.sequence > \(arrivals.after)")
      conditions.append("i.first_sequence > \(arrivals.after) AND i.first_sequence <= \(arrivals.through)")
    }
    let hasClipped = try connection.integer("SELECT 1 FROM words WHERE clipped > 0 LIMIT 1") != nil
    var found: [Query] = []
    var others: [Query] = []
    for part in request.query.conjuncts {
      switch part {
      case .since(let time): range.append("sort >= \(time.seconds)")
      case .until(let time): range.append("sort < \(time.seconds)")
      default:
        if Self.isWords(part) { found.append(part) } else { others.append(part) }
      }
    }
    var needsCheck = false
    if let all = WordQuery(all: found) {
      words = all
      wordQuery = .and(found)
      needsCheck = hasClipped
      wordCondition =
        hasClipped
        ? "(\(ItemCondition.loose(all, values)))" : "w.words @@ \(values.add(all.text))::tsquery"
    } else {
      // No word is required, so the index has nothing to look up.
      others = found + others
    }
    perItemParts = others
    for part in others {
      let condition = try ItemCondition(part, hasClipped: hasClipped, values, connection)
      needsCheck = needsCheck || condition.needsCheck
      conditions.append(condition.sql)
    }
    guard needsCheck else {
      checker = nil
      return
    }
    do {
      checker = try QueryMatcher(request.query)
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }

  private static func isWords(_ part: Query) -> Bool {
    if case .not(let inner) = part { return WordQuery(inner) != nil }
    return WordQuery(part) != nil
  }

  // MARK: SQL

  private var isDescending: Bool { request.order != .oldest }

  /// The alias of the table that is read in order: `items` or `words`.
  private var lead: String { words == nil ? "i" : "w" }

  private func bounds(_ alias: String, from place: Place?) -> [String] {
    var all = range.map { "\(alias).\($0)" }
    for place in [place, request.foldsClusters ? nil : boundary] {
      guard let place else { continue }
      all.append("(\(alias).sort, \(alias).id) \(isDescending ? "<" : ">") (\(place.sort), \(place.id))")
    }
    return all
  }

  private func order(_ alias: String, keepsFromIndex: Bool = false) -> String {
    let direction = isDescending ? "DESC" : "ASC"
    return "ORDER BY \(alias).sort\(keepsFromIndex ? " + 0" : "") \(direction), \(alias).id \(direction)"
  }

  /// `FROM … WHERE …` with all conditions.
  private func source(from place: Place?) -> String {
    var all = bounds(lead, from: place) + conditions
    if words != nil { all.append(wordCondition) }
    let from =
      words == nil
      ? "FROM items AS i"
      : conditions.isEmpty ? "FROM words AS w" : "FROM words AS w JOIN items AS i ON i.id = w.id"
    return all.isEmpty ? from : from + " WHERE " + all.joined(separator: " AND ")
  }

  private func page(_ sql: String) throws(StoreError) -> [Place] {
    try connection.query(sql, parameters: values.parameters).map { Place(id: $0.int64(0), sort: $0.int64(1)) }
  }

  /// Reads one page of candidates.
  private func candidates(from place: Place?, offset: Int, limit: Int?) throws(StoreError) -> [Place] {
    let page = limit.map { " LIMIT \($0) OFFSET \(offset)" } ?? " OFFSET \(offset)"
    guard words != nil else {
      return try self.page("SELECT i.id, i.sort \(source(from: place)) \(order("i"))\(page)")
    }
    if let limit, limit + offset <= Self.walk {
      let bounds = bounds("n", from: place)
      let inner =
        "SELECT n.id, n.sort, n.words, n.clipped FROM words AS n"
        + (bounds.isEmpty ? "" : " WHERE " + bounds.joined(separator: " AND "))
        + " \(order("n")) LIMIT \(Self.walk)"
      let join = conditions.isEmpty ? "" : " JOIN items AS i ON i.id = w.id"
      let all = ([wordCondition] + conditions).joined(separator: " AND ")
      let near = try self.page(
        "SELECT w.id, w.sort FROM (\(inner)) AS w\(join) WHERE \(all) \(order("w"))\(page)"
      )
      if near.count == limit { return near }
    }
    return try self.page(
      "SELECT w.id, w.sort \(source(from: place)) \(order("w", keepsFromIndex: true))\(page)"
    )
  }

  /// Calls `body` with the items of the page in order, until it returns false. Its second argument is the number of
  /// duplicates that the item stands for.
  func forEach(_ body: (Place, Int) throws(StoreError) -> Bool) throws(StoreError) {
    if request.order == .relevance, words != nil { return try forEachByRelevance(body) }
    let offset = max(request.offset, 0)
    if checker == nil, !request.foldsClusters {
      for place in try candidates(from: after, offset: offset, limit: request.limit.map { max($0, 0) }) {
        guard try body(place, 0) else { return }
      }
      return
    }
    var fold = request.foldsClusters ? ClusterFold() : nil
    var skipped = 0
    var left = request.limit.map { max($0, 0) } ?? .max
    guard left > 0 else { return }
    var last = after
    while true {
      let places = try candidates(from: last, offset: 0, limit: Self.portion)
      let kept = try checked(places)
      let folded = try fold?.take(kept, before: { isBefore($0) }, connection) ?? kept.map { ($0, 0) }
      for (place, count) in folded {
        guard skipped >= offset else {
          skipped += 1
          continue
        }
        guard try body(place, count) else { return }
        left -= 1
        if left == 0 { return }
      }
      guard places.count == Self.portion else { return }
      last = places.last
    }
  }

  /// True for items that earlier pages have shown.
  private func isBefore(_ place: Place) -> Bool {
    guard let boundary else { return false }
    let mine = (place.sort, place.id)
    let other = (boundary.sort, boundary.id)
    return isDescending ? mine >= other : mine <= other
  }

  /// Returns the places whose items match, for queries that SQL cannot decide.
  func checked(_ places: [Place]) throws(StoreError) -> [Place] {
    guard let checker, !places.isEmpty else { return places }
    let reader = try ItemReader(connection, parts: .all)
    let items = try reader.entries(places.map(\.id))
    let folders = try reader.folders()
    return places.filter { place in
      guard let entry = items[place.id] else { return false }
      let subject = MatchSubject(entry.item, folder: folders[entry.item.feedID.rawValue])
      subject.time = Timestamp(seconds: place.sort)
      return checker.matches(subject)
    }
  }

  private func forEachByRelevance(_ body: (Place, Int) throws(StoreError) -> Bool) throws(StoreError) {
    let found = try candidates(from: nil, offset: 0, limit: Relevance.candidates)
    var near: [Place] = []
    // In portions, because the check reads whole items.
    for start in stride(from: 0, to: found.count, by: Self.portion) {
      near += try checked(Array(found[start..<min(start + Self.portion, found.count)]))
    }
    let ranked = try Relevance(wordQuery, connection).ranked(near)
    var fold = request.foldsClusters ? ClusterFold() : nil
    let folded = try fold?.take(ranked, before: { _ in false }, connection) ?? ranked.map { ($0, 0) }
    let rest = folded.dropFirst(max(request.offset, 0))
    for (place, count) in request.limit.map({ rest.prefix(max($0, 0)) }) ?? rest {
      guard try body(place, count) else { return }
    }
  }

  // MARK: Answers other than items

  func count() throws(StoreError) -> Int {
    if let total = try plainTotal() { return total }
    if checker != nil {
      var request = request
      request.limit = nil
      request.offset = 0
      var count = 0
      try Selection(request, connection).forEach { _, _ in
        count += 1
        return true
      }
      return count
    }
    guard request.foldsClusters else { return try integer("SELECT count(*) \(source(from: nil))") }
    let left =
      boundary.map { " WHERE (c.sort, c.id) \(isDescending ? "<" : ">") (\($0.sort), \($0.id))" } ?? ""
    return try integer(
      """
      SELECT count(DISTINCT coalesce(c.cluster, -c.id))
      FROM (SELECT \(lead).id \(source(from: nil))) AS s JOIN items AS c ON c.id = s.id\(left)
      """
    )
  }

  private func plainTotal() throws(StoreError) -> Int? {
    guard words == nil, range.isEmpty, !request.foldsClusters, boundary == nil, request.arrivals == nil else {
      return nil
    }
    switch request.query {
    case .all: return Int(try connection.value(of: .items))
    case .isRead(false): return Int(try connection.value(of: .unread))
    case .isStarred(true): return Int(try connection.value(of: .starred))
    case .feedID(let id):
      return Int(try connection.integer("SELECT items FROM feeds WHERE id = $1", id.rawValue) ?? 0)
    default: return nil
    }
  }

  private func integer(_ sql: String) throws(StoreError) -> Int {
    try connection.query(sql, parameters: values.parameters).first?.int(0) ?? 0
  }

  func activity() throws(StoreError) -> [DayCount] {
    guard checker == nil else {
      var days: [Int: Int] = [:]
      try forEach { place, _ in
        days[Int((Double(place.sort) / 86_400).rounded(.down)), default: 0] += 1
        return true
      }
      return days.sorted { $0.key < $1.key }.map { DayCount(day: $0.key, count: $0.value) }
    }
    return try connection.query(
      "SELECT floor(\(lead).sort / 86400.0)::bigint, count(*) \(source(from: nil)) GROUP BY 1 ORDER BY 1",
      parameters: values.parameters
    ).map { DayCount(day: $0.int(0), count: $0.int(1)) }
  }

  /// Describes the index used and the conditions checked for each item.
  func plan() -> [String] {
    let order =
      switch request.order {
      case .relevance where words != nil:
        "the best of the newest \(Relevance.candidates) hits (a hit in the title before hits in the text)"
      case .oldest: "the oldest first"
      default: "the newest first"
      }
    var lines = ["order: \(order)"]
    if let words {
      lines.append(
        "index: full-text, asked for \(words.text) (the newest \(Self.walk) items are looked at first)"
      )
    } else {
      lines.append("index: items by time")
    }
    if !range.isEmpty { lines.append("range of time: only that part of the index is read") }
    for part in perItemParts { lines.append("then asked of each item: \(QueryPrinter.text(part))") }
    if checker != nil { lines.append("then newsd reads each of these items and decides") }
    return lines
  }
}

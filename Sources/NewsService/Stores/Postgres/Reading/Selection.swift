import NewsSearch
import NewsStoresShared
import NewsCore

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
  /// Number of items read at once to check them with `QueryMatcher` or to fold stories. A search by
  /// relevance checks all its candidates at once.
  private static let portion = 500
  /// How many bytes of the texts of these items are in memory at once.
  private static let checkedBytes = 4 << 20

  private let parts: SelectedParts
  var request: ItemRequest { parts.request }
  private let connection: Connection
  private let values = StatementValues()
  /// The word query that the index answers; nil if the selection reads `items` instead.
  private(set) var words: WordQuery?
  private var wordCondition = ""
  /// Conditions on `i`, joined by AND.
  private var conditions: [String]
  private let checker: QueryMatcher?
  /// The last item of the previous batch, if the request is read in several batches.
  var after: Place?
  /// The place of `request.continuing`; the list starts after it.
  private var boundary: Place?

  init(_ request: ItemRequest, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    var parts = try SelectedParts(request, connection) { WordQuery($0) != nil }
    if let id = request.continuing {
      let sort = try connection.number("SELECT sort FROM items WHERE id = $1", id)
      guard let sort else { throw StoreError.noSuchItem(id) }
      boundary = Place(id: id.rawValue, sort: sort)
    }
    let hasClipped = try connection.number("SELECT 1 FROM words WHERE clipped > 0 LIMIT 1") != nil
    var needsCheck = false
    if let all = WordQuery(all: parts.words) {
      words = all
      needsCheck = hasClipped
      wordCondition =
        hasClipped
        ? "(\(ItemCondition.loose(all, values)))" : "w.words @@ \(values.add(all.text))::tsquery"
    } else {
      parts.checkWords()
    }
    self.parts = parts
    conditions = parts.conditions
    for part in parts.others {
      let condition = try ItemCondition(part, hasClipped: hasClipped, values, connection)
      needsCheck = needsCheck || condition.needsCheck
      conditions.append(condition.sql)
    }
    guard needsCheck else {
      checker = nil
      return
    }
    do {
      checker = try QueryMatcher(parts.request.query)
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }

  // MARK: SQL

  private var isDescending: Bool { parts.isDescending }

  /// The alias of the table that is read in order: `items` or `words`.
  private var lead: String { words == nil ? "i" : "w" }

  private func bounds(_ alias: String, from place: Place?) -> [String] {
    var all: [String] = []
    if let since = parts.since { all.append("\(alias).sort >= \(since.seconds)") }
    if let until = parts.until { all.append("\(alias).sort < \(until.seconds)") }
    for place in [place, request.foldsStories ? nil : boundary] {
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
    try connection.rows(sql, values: values.all) { Place(id: $0.int64(0), sort: $0.int64(1)) }
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
  /// other items of its story.
  func forEach(_ body: (Place, Int) throws(StoreError) -> Bool) throws(StoreError) {
    if request.order == .relevance, words != nil { return try forEachByRelevance(body) }
    let offset = max(request.offset, 0)
    if checker == nil, !request.foldsStories {
      for place in try candidates(from: after, offset: offset, limit: request.limit.map { max($0, 0) }) {
        guard try body(place, 0) else { return }
      }
      return
    }
    var fold = request.foldsStories ? StoryFold() : nil
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

  /// Returns the items of the page in order, each with the number of other items of its story.
  func places() throws(StoreError) -> [(Place, Int)] {
    var places: [(Place, Int)] = []
    try forEach { place, folded in
      places.append((place, folded))
      return true
    }
    return places
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
    let folders = try ItemReader(connection, parts: .all).folders()
    var kept: [Place] = []
    var rest = places[...]
    while !rest.isEmpty {
      let (items, count) = try connection.items(rest.map(\.id), parts: .all, within: Self.checkedBytes)
      kept += rest.prefix(count).filter { place in
        guard let entry = items[place.id] else { return false }
        let subject = MatchSubject(entry.item, folder: folders[entry.item.feedID.rawValue])
        subject.time = Timestamp(seconds: place.sort)
        return checker.matches(subject)
      }
      rest = rest.dropFirst(count)
    }
    return kept
  }

  private func forEachByRelevance(_ body: (Place, Int) throws(StoreError) -> Bool) throws(StoreError) {
    let found = try candidates(from: nil, offset: 0, limit: Relevance.candidates)
    var near: [Place] = []
    // In portions: each has one query of the lengths of its items.
    for start in stride(from: 0, to: found.count, by: Self.portion) {
      near += try checked(Array(found[start..<min(start + Self.portion, found.count)]))
    }
    let ranked = try Relevance(.and(parts.words), connection).ranked(near)
    var fold = request.foldsStories ? StoryFold() : nil
    let folded = try fold?.take(ranked, before: { _ in false }, connection) ?? ranked.map { ($0, 0) }
    let rest = folded.dropFirst(max(request.offset, 0))
    for (place, count) in request.limit.map({ rest.prefix(max($0, 0)) }) ?? rest {
      guard try body(place, count) else { return }
    }
  }

  // MARK: Answers other than items

  func count() throws(StoreError) -> Int {
    if let total = try parts.keptTotal(connection) { return total }
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
    guard request.foldsStories else { return try integer("SELECT count(*) \(source(from: nil))") }
    let left =
      boundary.map { " WHERE (c.sort, c.id) \(isDescending ? "<" : ">") (\($0.sort), \($0.id))" } ?? ""
    return try integer(
      """
      SELECT count(DISTINCT coalesce(c.cluster, -c.id))
      FROM (SELECT \(lead).id \(source(from: nil))) AS s JOIN items AS c ON c.id = s.id\(left)
      """
    )
  }

  private func integer(_ sql: String) throws(StoreError) -> Int {
    try connection.rows(sql, values: values.all) { $0.int(0) }.first ?? 0
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
    return try connection.rows(
      "SELECT floor(\(lead).sort / 86400.0)::bigint, count(*) \(source(from: nil)) GROUP BY 1 ORDER BY 1",
      values: values.all
    ) { DayCount(day: $0.int(0), count: $0.int(1)) }
  }

  /// Describes the index used and the conditions checked for each item.
  func plan() -> [String] {
    let index = words.map {
      "full-text, asked for \($0.text) (the newest \(Self.walk) items are looked at first)"
    }
    let check = checker == nil ? [] : ["then newsd reads each of these items and decides"]
    return parts.plan(index: index ?? "items by time", candidates: Relevance.candidates) + check
  }
}

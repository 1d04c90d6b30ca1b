public import NewsCore

private struct CompiledRule {
  var matcher: QueryMatcher
  var actions: [RuleAction]
}

/// The compiled rules, as of one transaction.
struct RuleBook {
  private var rules: [CompiledRule] = []

  /// Skips rules that no longer compile, for example because they name a deleted saved search.
  init(_ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("SELECT query, action FROM rules ORDER BY number")
    while try statement.step() {
      guard let actions = [RuleAction](stored: statement.string(1)),
        let query = try? QueryExpansion.expand(QueryExpansion.read(statement.string(0)), connection),
        let matcher = try? QueryMatcher(query)
      else { continue }
      rules.append(CompiledRule(matcher: matcher, actions: actions))
    }
  }

  /// Returns nil if there are no rules.
  func evaluator(
    of id: Feed.ID,
    title: String? = nil,
    language: String? = nil,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) -> Evaluator? {
    guard !rules.isEmpty, var feed = try NewsStore.feed(id, connection) else { return nil }
    // Before the first refresh, the stored title is the URL.
    if feed.title == feed.url, let title, !title.isEmpty { feed.title = title }
    return Evaluator(rules: rules, feed: feed, language: language, time: time)
  }

  enum Decision {
    case drop
    case keep(ItemWriter.InitialState, tags: [String])
  }

  /// Applies the rules to the items of one feed.
  struct Evaluator {
    fileprivate let rules: [CompiledRule]
    fileprivate let feed: Feed
    fileprivate let language: String?
    fileprivate let time: Timestamp

    func evaluate(_ item: ParsedItem) -> Decision {
      let subject = MatchSubject(item, of: feed, language: language, at: time)
      var initial = ItemWriter.InitialState()
      var tags: [String] = []
      for rule in rules where rule.matcher.matches(subject) {
        for action in rule.actions {
          // Later rules see the changes made by earlier ones.
          switch action {
          case .drop: return .drop
          case .markRead:
            initial.isRead = true
            subject.isRead = true
          case .star:
            initial.isStarred = true
            subject.isStarred = true
          case .tag(let name):
            guard !subject.tags.contains(name) else { continue }
            tags.append(name)
            subject.tags.append(name)
          }
        }
      }
      return .keep(initial, tags: tags)
    }
  }
}

extension NewsStore: RuleKeeping {
  public func rules() async throws(StoreError) -> [Rule] {
    try await read { (connection) throws(StoreError) in
      let statement = try connection.prepare("SELECT number, query, action FROM rules ORDER BY number")
      var rules: [Rule] = []
      while try statement.step() {
        guard let actions = [RuleAction](stored: statement.string(2)) else { continue }
        rules.append(Rule(number: statement.int(0), query: statement.string(1), actions: actions))
      }
      return rules
    }
  }

  public func addRule(
    _ query: String,
    do actions: [RuleAction],
    at time: Timestamp
  ) async throws(StoreError) -> Rule {
    let parsed = try QueryExpansion.read(query, now: time)
    guard parsed != .all else {
      throw StoreError(
        code: .badQuery,
        message: "the query of a rule must select something; to act on every item, write since:1900-01-01"
      )
    }
    return try await write { (connection) throws(StoreError) in
      do {
        _ = try QueryMatcher(try QueryExpansion.expand(parsed, connection))
      } catch let error as QueryError {
        throw StoreError(code: .badQuery, message: error.message)
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(code: .badQuery, message: "\(error)")
      }
      let statement = try connection.prepare(
        """
        INSERT INTO rules (number, query, action)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM rules), ?, ?) RETURNING number
        """
      )
      try statement.bind(1, query)
      try statement.bind(2, actions.storedText)
      _ = try statement.step()
      return Rule(number: statement.int(0), query: query, actions: actions)
    }
  }

  public func removeRule(_ number: Int) async throws(StoreError) -> Bool {
    try await write { (connection) throws(StoreError) in
      let statement = try connection.prepare("DELETE FROM rules WHERE number = ? RETURNING 1")
      try statement.bind(1, number)
      guard try statement.step() else { return false }
      // Renumber through negative values: a direct update would violate the primary key.
      for sql in [
        "UPDATE rules SET number = -number + 1 WHERE number > \(number)",
        "UPDATE rules SET number = -number WHERE number < 0",
      ] { try connection.execute(sql) }
      return true
    }
  }
}

extension [RuleAction] {
  /// One action per line; an action never contains a line break.
  fileprivate var storedText: String { map(\.description).joined(separator: "\n") }

  /// Nil if an action is unknown to this version.
  init?(stored text: String) {
    self = []
    for line in text.split(separator: "\n") {
      guard let action = RuleAction(String(line)) else { return nil }
      append(action)
    }
    if isEmpty { return nil }
  }
}

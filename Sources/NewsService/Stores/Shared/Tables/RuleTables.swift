package import NewsCore

// Rules. The table `rules` has their queries and actions; `rule_facts`, which a later version added, has the time until
// which a rule applies and the number of its hits. Both are keyed by the number in the list.

/// A rule as stored. Its actions may be of a later version.
private struct RuleRow {
  var query: String
  var actions: String
  var until: Timestamp?
  var hits: Int

  /// Nil if this version does not know one of the actions.
  func rule(number: Int) -> Rule? {
    [RuleAction](stored: actions).map {
      Rule(number: number, query: query, actions: $0, until: until, hits: hits)
    }
  }
}

extension StoreSession {
  package static var ruleFactTable: String { "rule_facts" }

  /// Returns the rules in their order. Rule N is at index N - 1.
  private func ruleRows() throws(StoreError) -> [RuleRow] {
    let hasFacts = try has(Self.ruleFactTable)
    return try rows(
      hasFacts
        ? """
        SELECT r.query, r.action, f.until, coalesce(f.hits, 0)
        FROM rules AS r LEFT JOIN rule_facts AS f ON f.number = r.number ORDER BY r.number
        """
        : "SELECT query, action, NULL, 0 FROM rules ORDER BY number"
    ) { RuleRow(query: $0.string(0), actions: $0.string(1), until: $0.time(2), hits: $0.int(3)) }
  }

  private func replaceRules(_ rules: [RuleRow]) throws(StoreError) {
    let former = try size(of: .rules)
    let bytes = rules.reduce(0) { $0 + Int64($1.query.utf8.count + $1.actions.utf8.count) }
    if bytes > former.bytes { try refuseAboveQuota() }
    try run("DELETE FROM rules")
    try run("DELETE FROM rule_facts")
    for (index, rule) in rules.enumerated() {
      try run(
        "INSERT INTO rules (number, query, action) VALUES ($1, $2, $3)",
        index + 1,
        rule.query,
        rule.actions
      )
      guard rule.until != nil || rule.hits > 0 else { continue }
      try run(
        "INSERT INTO rule_facts (number, until, hits) VALUES ($1, $2, $3)",
        index + 1,
        rule.until,
        rule.hits
      )
    }
    try refuseExcess(of: .rules, from: former)
  }

  fileprivate func listRules() throws(StoreError) -> [Rule] {
    try ruleRows().enumerated().compactMap { $1.rule(number: $0 + 1) }
  }

  fileprivate func add(_ rule: Rule) throws(StoreError) -> Rule {
    var rules = try ruleRows()
    rules.append(
      RuleRow(query: rule.query, actions: rule.actions.storedText, until: rule.until, hits: 0)
    )
    try replaceRules(rules)
    var added = rule
    added.number = rules.count
    return added
  }

  fileprivate func change(rule number: Int, _ change: RuleChange) throws(StoreError) -> Rule? {
    var rules = try ruleRows()
    guard rules.indices.contains(number - 1) else { return nil }
    var row = rules.remove(at: number - 1)
    // The hits of another query say nothing of this one.
    if let query = change.query, query != row.query { (row.query, row.hits) = (query, 0) }
    if let actions = change.actions { row.actions = actions.storedText }
    switch change.until {
    case .always: row.until = nil
    case .until(let time): row.until = time
    case nil: break
    }
    let index = min(max((change.place ?? number) - 1, 0), rules.count)
    rules.insert(row, at: index)
    try replaceRules(rules)
    return row.rule(number: index + 1)
  }

  fileprivate func removeRule(_ number: Int) throws(StoreError) -> Bool {
    var rules = try ruleRows()
    guard rules.indices.contains(number - 1) else { return false }
    rules.remove(at: number - 1)
    try replaceRules(rules)
    return true
  }

  /// Reads and compiles the rules.
  package func ruleBook() throws(StoreError) -> RuleBook {
    let rules = try ruleRows().map { (query: $0.query, actions: $0.actions, until: $0.until) }
    return RuleBook(rules) { (name) throws(StoreError) in try savedQuery(name) }
  }

  /// Adds to the hits of rules, by number.
  package func count(hits: [Int: Int]) throws(StoreError) {
    // In the order of numbers, so that two transactions do not wait for each other.
    for (number, hits) in hits.sorted(by: { $0.key < $1.key }) {
      try run(
        """
        INSERT INTO rule_facts (number, hits) VALUES ($1, $2)
        ON CONFLICT (number) DO UPDATE SET hits = rule_facts.hits + excluded.hits
        """,
        number,
        hits
      )
    }
  }
}

extension TableStore {
  package func rules() async throws(StoreError) -> [Rule] {
    try await snapshot { (session) throws(StoreError) in try session.listRules() }
  }

  package func addRule(
    _ query: String,
    do actions: [RuleAction],
    until: Timestamp?,
    at time: Timestamp
  ) async throws(StoreError) -> Rule {
    let parsed = try RuleCheck.read(query, at: time)
    return try await transaction { (session) throws(StoreError) in
      try RuleCheck.compile(parsed) { (name) throws(StoreError) in try session.savedQuery(name) }
      return try session.add(Rule(number: 0, query: query, actions: actions, until: until))
    }
  }

  package func changeRule(
    _ number: Int,
    _ change: RuleChange,
    at time: Timestamp
  ) async throws(StoreError) -> Rule? {
    var parsed: Query?
    if let query = change.query { parsed = try RuleCheck.read(query, at: time) }
    let query = parsed
    return try await transaction { (session) throws(StoreError) in
      if let query {
        try RuleCheck.compile(query) { (name) throws(StoreError) in try session.savedQuery(name) }
      }
      return try session.change(rule: number, change)
    }
  }

  package func removeRule(_ number: Int) async throws(StoreError) -> Bool {
    try await transaction { (session) throws(StoreError) in try session.removeRule(number) }
  }
}

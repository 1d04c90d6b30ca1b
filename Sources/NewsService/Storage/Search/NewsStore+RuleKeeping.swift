public import NewsCore

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
    let parsed = try RuleCheck.read(query, at: time)
    return try await write { (connection) throws(StoreError) in
      try RuleCheck.compile(parsed, saved: connection.savedQuery)
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

public import NewsService

extension NewsStore: PollPlanKeeping {
  public func holdPlans(to bounds: ClosedRange<Int64>) async throws(StoreError) {
    // What feeds and their rhythm asked for; skipped hours, a site's budget and pushes back have reasons of their own to go
    // beyond the bounds.
    let reasons: [DueReason] = [.adaptive, .maxAge, .expires, .ttl, .updatePeriod, .webSub, .user]
    let names = reasons.map { "'\($0.description)'" }.joined(separator: ", ")
    let least = "coalesce(json_extract(settings, '$.minimumInterval'), \(bounds.lowerBound))"
    let most = "coalesce(json_extract(settings, '$.maximumInterval'), \(bounds.upperBound))"
    let due = "max(min(next_due, last_fetched + \(most)), last_fetched + \(least))"
    let condition = "failures = 0 AND next_due_reason IN (\(names)) AND next_due != \(due)"
    // Looked for first: mostly there is nothing to write.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT 1 FROM feeds WHERE \(condition) LIMIT 1") != nil
    }
    guard isNeeded else { return }
    try await write { (connection) throws(StoreError) in
      try connection.execute("UPDATE feeds SET next_due = \(due) WHERE \(condition)")
      try Counter.feedList.add(1, connection)
    }
  }
}

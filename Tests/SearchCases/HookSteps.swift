public import NewsCore

/// Single steps of the outbox, for tests.
extension HookKeeping {
  public func nextDelivery(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    hold: Int64
  ) async throws(StoreError) -> HookDelivery? {
    try await takeDeliveries(of: hook, at: now, before: boundary, after: nil, limit: 1, hold: hold).first
  }

  public func settle(_ delivery: HookDelivery, _ settlement: HookSettlement, at now: Timestamp)
    async throws(StoreError)
  {
    try await settle([(delivery, settlement)], at: now)
  }
}

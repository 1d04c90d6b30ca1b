import Testing

@testable import NewsNetwork

@Suite struct `Shares of the memory for bodies` {
  private func holder(_ held: [String?: Int], waiting: [String?]) -> String? {
    var shares = BodyShares()
    for (account, bytes) in held { shares.add(bytes, of: account, isWaiting: false) }
    for account in waiting { shares.add(0, of: account, isWaiting: true) }
    return shares.excessiveHolder(capacity: 120)
  }

  @Test func `The account that holds the most gives way if that is more than its part`() {
    #expect(holder(["eve": 61], waiting: ["anna"]) == "eve")
    #expect(holder(["eve": 60], waiting: ["anna"]) == nil)
    // Three accounts hold a third each, and a fourth waits.
    #expect(holder(["eve": 40, "bob": 41, "cyd": 39], waiting: ["anna"]) == "bob")
    #expect(holder(["eve": 30, "bob": 30, "cyd": 30], waiting: ["anna"]) == nil)
    // Accounts without bytes that do not wait have no part.
    #expect(holder(["eve": 60, "bob": 0, "cyd": 0], waiting: ["anna"]) == nil)
  }

  @Test func `No account gives way to itself, and requests without an account give way to none`() {
    #expect(holder(["eve": 120], waiting: ["eve"]) == nil)
    #expect(holder(["eve": 110, "bob": 10], waiting: ["eve"]) == nil)
    #expect(holder(["eve": 61], waiting: [nil]) == "eve")
    #expect(holder([nil: 120], waiting: ["anna"]) == nil)
  }

  @Test func `Paused transfers of accounts resume in turn`() {
    let pauses = PauseList()
    for id in 1...4 as ClosedRange<UInt64> { pauses.append(id, lastPollSucceeded: true, account: "eve") }
    pauses.append(5, lastPollSucceeded: true, account: "anna")
    pauses.append(6, lastPollSucceeded: false, account: "bob")
    pauses.append(7, lastPollSucceeded: true)
    var order: [UInt64] = []
    while let id = pauses.popFirst() { order.append(id) }
    #expect(order == [1, 5, 7, 2, 3, 4, 6])
    #expect(pauses.isEmpty)
  }
}

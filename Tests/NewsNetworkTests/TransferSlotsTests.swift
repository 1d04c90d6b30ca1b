import Testing

@testable import NewsNetwork

@Suite struct `Transfer slots` {
  @Test func `Feeds without a successful last poll get three quarters of the slots`() {
    var slots = TransferSlots(TransferLimits(concurrency: 8))
    for _ in 0..<6 {
      #expect(slots.isFreeForUnproven)
      slots.started(lastPollSucceeded: false)
    }
    #expect(slots.isFree && !slots.isFreeForUnproven)
    for _ in 0..<2 { slots.started(lastPollSucceeded: true) }
    #expect(!slots.isFree)
    slots.ended(lastPollSucceeded: true, isStalled: false)
    #expect(slots.isFree && !slots.isFreeForUnproven)
    slots.ended(lastPollSucceeded: false, isStalled: false)
    #expect(slots.isFreeForUnproven)
  }

  @Test func `Stalled transfers of feeds without a successful last poll get three quarters of connections`() {
    var slots = TransferSlots(TransferLimits(concurrency: 8))
    for _ in 0..<24 {
      #expect(slots.isFreeForUnproven)
      slots.started(lastPollSucceeded: false)
      slots.stallChanged(to: true, lastPollSucceeded: false)
    }
    #expect(slots.isFree && !slots.isFreeForUnproven)
    slots.ended(lastPollSucceeded: false, isStalled: true)
    #expect(slots.isFreeForUnproven)
    for _ in 0..<23 { slots.ended(lastPollSucceeded: false, isStalled: true) }
    #expect(slots.isEmpty)
  }

  @Test func `One account gets half of the slots and of the connections, and others get the rest`() {
    var slots = TransferSlots(TransferLimits(concurrency: 8))
    for rest in [3, 2, 1, 0] {
      slots.started(lastPollSucceeded: true, account: "eve")
      #expect(room("eve", slots) == rest)
    }
    #expect(room("anna", slots) == 2 && room(nil, slots) == .max && slots.isFree)
    for _ in 0..<3 {
      for _ in 0..<4 { slots.stallChanged(to: true, lastPollSucceeded: true, account: "eve") }
      #expect(room("eve", slots) == 4)
      for _ in 0..<4 { slots.started(lastPollSucceeded: true, account: "eve") }
    }
    for _ in 0..<4 { slots.stallChanged(to: true, lastPollSucceeded: true, account: "eve") }
    #expect(room("eve", slots) == 0)
    slots.ended(lastPollSucceeded: true, isStalled: true, account: "eve")
    #expect(room("eve", slots) == 1)
    for _ in 0..<15 { slots.ended(lastPollSucceeded: true, isStalled: true, account: "eve") }
    #expect(room("eve", slots) == 4 && slots.isEmpty)
  }

  private func room(_ account: String?, _ slots: TransferSlots, lastPollSucceeded: Bool = true) -> Int {
    slots.room(for: account, lastPollSucceeded: lastPollSucceeded)
  }

  /// Starts slow transfers of an account until it has its part.
  private func fill(_ slots: inout TransferSlots, _ account: String, lastPollSucceeded: Bool = true) -> Int {
    var count = 0
    while slots.isFree, lastPollSucceeded || slots.isFreeForUnproven,
      room(account, slots, lastPollSucceeded: lastPollSucceeded) > 0
    {
      slots.started(lastPollSucceeded: lastPollSucceeded, account: account)
      slots.stallChanged(to: true, lastPollSucceeded: lastPollSucceeded, account: account)
      count += 1
    }
    return count
  }

  @Test(arguments: [true, false])
  func `After four accounts have filled their parts, one more finds a slot`(lastPollSucceeded: Bool) {
    var slots = TransferSlots(TransferLimits(concurrency: 64))
    for name in ["eve", "bob", "cyd", "dan"] {
      let count = fill(&slots, name, lastPollSucceeded: lastPollSucceeded)
      #expect(count > 0)
      if name == "eve" { #expect(count == 128) }
    }
    #expect(room("anna", slots, lastPollSucceeded: lastPollSucceeded) > 0)
    // Common requests find one, too.
    #expect(lastPollSucceeded ? slots.isFree : slots.isFreeForUnproven)
  }

  @Test func `As transfers end, the parts of the accounts become equal`() {
    var slots = TransferSlots(TransferLimits(concurrency: 64))
    let names = ["eve", "bob", "cyd"]
    var counts = names.map { fill(&slots, $0) }
    for _ in 0..<300 {
      // The account with the most transfers ends one, and all ask for more.
      guard let most = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return }
      slots.ended(lastPollSucceeded: true, isStalled: true, account: names[most])
      counts[most] -= 1
      for index in counts.indices { counts[index] += fill(&slots, names[index]) }
    }
    #expect(counts.allSatisfy { (62...66).contains($0) })
  }

  @Test(arguments: [
    (files: 65_536, connections: 1024), (1024, 592), (256, 69), (128, 26), (64, 5),
  ])
  func `The transfers and the connections of the web server share the descriptors that a low limit leaves`(
    files: Int,
    connections: Int
  ) {
    let found = TransferLimits.connections(1024, beside: 64, limit: files)
    #expect(found == connections)
    let limits = TransferLimits(concurrency: 64, beside: found, limit: files)
    #expect(limits.open + limits.kept + found + 48 <= files)
    #expect(limits.moving >= 4 && TransferLimits.connections(2, beside: 64, limit: files) == 2)
  }

  @Test(arguments: [
    (files: 65_536, isServer: false, accounts: 2046, connections: 1024), (1024, false, 30, 165),
    (256, false, 6, 37), (128, false, 2, 16), (65_536, true, 16_357, 1024), (1024, true, 229, 152),
    (256, true, 37, 24), (128, true, 4, 4),
  ])
  func `The stores of accounts, the transfers and the connections share the descriptors`(
    files: Int,
    isServer: Bool,
    accounts: Int,
    connections: Int
  ) {
    let descriptors = isServer ? StoreDescriptors.server : .folder
    #expect(descriptors.accounts(limit: files) == accounts)
    #expect(descriptors.limit(forAccounts: accounts) <= files)
    #expect(descriptors.limit(forAccounts: accounts + 1) > files)
    let stores = descriptors.all(limit: files)
    let found = TransferLimits.connections(1024, beside: 64, limit: files - stores)
    #expect(found == connections)
    let limits = TransferLimits(concurrency: 64, beside: found + stores, limit: files)
    #expect(limits.open + limits.kept + found + stores + 48 <= files && limits.moving >= 4)
  }

  @Test(arguments: 1...3)
  func `A limit of one to three transfers leaves a slot for feeds without a successful last poll`(
    concurrency: Int
  ) {
    #expect(TransferSlots(TransferLimits(concurrency: concurrency)).isFreeForUnproven)
  }
}

import NewsCore
import Synchronization

/// Hubs that several processes on one store share.
extension WebSubSubscriber {
  /// Reads what other processes change, until the task is cancelled.
  func followStore(_ waiter: any ChangeAwaiting) async {
    while (try? await waiter.wait()) != nil { await reload() }
  }

  /// Reads the subscriptions if they have changed.
  func reload() async { await inTurn { await self.readStored() } }

  /// Does what `reload` does, in the caller's turn.
  ///
  /// - Parameter conflicts: Feeds whose changes by this process are given up for those of another one.
  func readStored(givingUp conflicts: Set<Feed.ID> = []) async {
    guard let keeper, let revision = try? await keeper.hubRevision() else { return }
    guard !conflicts.isEmpty || revision != knownRevision.withLock({ $0 }),
      let stored = try? await keeper.hubSubscriptions()
    else { return }
    let lastContact = book.withLock { book in
      book.merge(stored, conflicts: conflicts)
      return book.lastContact
    }
    knownRevision.withLock { $0 = revision }
    if let lastContact { heardHub(at: lastContact) }
    // The offer of a new one names the addresses that its hub may have.
    noteNewSubscriptions()
    alarm.ring()
  }

  /// Begins to send requests to hubs, at the start or after the process that sent them has ended.
  func takeOver() async {
    await reload()
    let now = clock.now()
    book.withLock { $0.adoptCallback(now: now) }
    // Pushes may have been lost: a killed process stores nothing, and hubs may have reached no process at all.
    try? await keeper?.resumePolling()
    announceLeases()
  }

  var isShared: Bool { configuration.sharing != nil }

  /// True if a request with an unknown token may be looked up in the store now.
  func mayLookUp() -> Bool {
    let now = clock.now()
    return lookups.withLock { $0.take(at: now) }
  }

  /// Notes a contact with the hub of a subscription.
  func noteContact(_ token: String) {
    let now = clock.now()
    heardHub(at: now)
    guard isShared else { return }
    book.withLock { $0.noteContact(token: token, now: now) }
    alarm.ring()
  }
}

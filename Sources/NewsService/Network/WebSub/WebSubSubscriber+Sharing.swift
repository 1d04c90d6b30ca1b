import NewsCore
import Synchronization

/// Lets several processes on one store share the subscriptions at hubs.
extension WebSubSubscriber {
  /// Reloads the subscriptions each time another process changes them, until the task is cancelled.
  func followStore(_ waiter: any ChangeAwaiting) async {
    while (try? await waiter.wait()) != nil { await reload() }
  }

  /// Reloads the subscriptions if their revision in the store has changed.
  func reload() async { await inTurn { await self.readStored() } }

  /// Like `reload`, but without `inTurn`, for callers that already run in it. For the feeds in `conflicts`,
  /// the changes of this process are discarded, because another process stored its own first.
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
    // A new subscription requires its feed's offer, which determines the addresses at which its hub may be.
    noteNewSubscriptions()
    alarm.ring()
  }

  /// Starts sending requests to hubs. Called at the start, or after the process that sent the requests has ended.
  func takeOver() async {
    await reload()
    let now = clock.now()
    book.withLock { $0.adoptCallback(now: now) }
    // Pushes may have been lost: a killed process does not store its pushes, and hubs perhaps could not connect to any
    // process.
    try? await keeper?.resumePolling(after: nil)
    announceLeases()
  }

  var isShared: Bool { configuration.sharing != nil }

  /// Takes a look-up in the store for a request with an unknown token. Returns false if none is left in this
  /// second.
  func mayLookUp() -> Bool {
    let now = clock.now()
    return lookups.withLock { $0.take(at: now) }
  }

  /// Records a contact with the hub of a subscription.
  func noteContact(_ token: String) {
    let now = clock.now()
    heardHub(at: now)
    guard isShared else { return }
    book.withLock { $0.noteContact(token: token, now: now) }
    alarm.ring()
  }
}

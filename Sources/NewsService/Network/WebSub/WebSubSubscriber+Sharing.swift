import NewsCore
import Synchronization

/// Sharing of subscriptions at hubs by several processes on one store.
extension WebSubSubscriber {
  /// Reads the subscriptions each time another process changes them, until the task is cancelled.
  func followStore(_ waiter: any ChangeAwaiting) async {
    while (try? await waiter.wait()) != nil { await reload() }
  }

  /// Reads the subscriptions if their revision in the store has changed.
  func reload() async { await inTurn { await self.readStored() } }

  /// Like `reload`, but without `inTurn`, for callers that already run in it.
  ///
  /// - Parameter conflicts: Feeds for which the changes of this process are discarded, because another process stored
  ///   its own first.
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
    // A new subscription needs its feed's offer, which says at which addresses its hub may be.
    noteNewSubscriptions()
    alarm.ring()
  }

  /// Starts sending requests to hubs: at the start, or after the process that sent them has ended.
  func takeOver() async {
    await reload()
    let now = clock.now()
    book.withLock { $0.adoptCallback(now: now) }
    // Pushes may have been lost: a killed process stores nothing, and perhaps no process was reachable for hubs.
    try? await keeper?.resumePolling()
    announceLeases()
  }

  var isShared: Bool { configuration.sharing != nil }

  /// True if a request with an unknown token may be looked up in the store now.
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

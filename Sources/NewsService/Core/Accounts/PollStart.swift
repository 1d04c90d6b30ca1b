import NewsToolbox
import Synchronization

/// Holds back the polls of a process at its start. An account that polls before the others are open would ask for addresses
/// that they have, too, and they would ask again.
public final class PollStart: Sendable {
  /// The accounts that are waited for.
  private let missing = Mutex<Set<String>>([])
  private let event = OneTimeEvent()

  init() {}

  /// Holds back all polls until each of these accounts can share them or has failed, or until `begin` is called. Called
  /// once, before the first of them is opened.
  public func hold(for accounts: [String]) { missing.withLock { $0 = Set(accounts) } }

  /// Notes that an account need not be waited for, for example because it cannot be opened.
  public func release(_ account: String) {
    let isComplete = missing.withLock { missing in
      missing.remove(account) != nil && missing.isEmpty
    }
    if isComplete { event.happen() }
  }

  /// Lets the polls begin, whichever accounts are missing.
  public func begin() {
    missing.withLock { $0 = [] }
    event.happen()
  }

  /// Notes that an account can share polls. Returns the event after which it may poll; nil: it may do so now.
  func arrive(_ account: String) -> OneTimeEvent? {
    release(account)
    return missing.withLock { $0.isEmpty } ? nil : event
  }
}

import NewsHTTP
import NewsSync
import NewsToolbox
import Synchronization

/// The places of the web server that its accounts share. As in the server, the parts of pages have places of their own: a page's
/// pictures must not shut their reader out of the next page.
struct AccountPlaces: Sendable {
  let requests = SharedPlaces(most: 16)
  let parts = SharedPlaces(most: 32)
  /// Streams of events of the change log.
  let followers = SharedPlaces(of: OwnAPI.mostFollowers, most: 8)
}

/// Places for the requests of accounts that are worked on. A request that waits for a slow server or for the account's turns
/// keeps its place.
///
/// An account may take a place while more are free than it has, as with transfers (`TransferSlots`). So a few accounts whose
/// requests wait leave some to any other.
final class SharedPlaces: Sendable {
  private let total: Int
  private let most: Int
  private let taken = Mutex<[String: Int]>([:])

  /// One account gets `most` places.
  init(of total: Int = HTTPServerConfiguration().handlers, most: Int) {
    self.total = total
    self.most = most
  }

  /// Takes a place. Returns false if the account may take none.
  func enter(_ account: String) -> Bool {
    taken.withLock { taken in
      let own = taken[account, default: 0]
      guard own < min(most, total - taken.values.reduce(0, +)) else { return false }
      taken[account] = own + 1
      return true
    }
  }

  func leave(_ account: String) {
    taken.withLock { taken in
      let left = taken[account, default: 1] - 1
      taken[account] = left > 0 ? left : nil
    }
  }

  /// The share of an account, with these turns.
  func share(of account: String, turns: TaskTurns?) -> WorkShare {
    WorkShare(turns: turns, enter: { self.enter(account) }, leave: { self.leave(account) })
  }
}

import NewsToolbox
import Synchronization

/// Host names that newsd answers to besides those of its configuration. The set-up page adds the name by which it was
/// reached.
public final class KnownHosts: Sendable {
  private let names = Mutex<Set<String>>([])

  public init() {}

  /// Adds the host of a Host field; a port does not matter.
  public func insert(_ host: String) {
    _ = names.withLock { $0.insert(HostRule.name(of: host)) }
  }

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
  var all: [String] { names.withLock { $0.sorted() } }
}

import Synchronization
import TestSupport

/// Holds back the rest of a reply until a test opens the gate.
public final class ReplyGate: Sendable {
  private let isOpened = Atomic(false)
  private let isReceived = Atomic(false)

  public init() {}

  /// Lets the reply continue, and returns when the client's system has received the bytes after the gate.
  public func open() async throws {
    isOpened.store(true, ordering: .releasing)
    try await eventually { isReceived.load(ordering: .acquiring) }
  }

  var isOpen: Bool { isOpened.load(ordering: .acquiring) }

  func report() { isReceived.store(true, ordering: .releasing) }
}

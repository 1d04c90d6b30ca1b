public import NewsCore
public import NewsText

/// A mailbox directory; each message is delivered to it once.
public protocol MailDirectory: Sendable {
  func hasDelivered(_ id: String) -> Bool
  func deliver(
    _ message: [UInt8],
    id: String,
    time: Timestamp,
    isSeen: Bool,
    isFlagged: Bool
  ) throws(OutputError)
  /// Syncs all delivered messages to disk before it returns.
  func finish() throws(OutputError)
}

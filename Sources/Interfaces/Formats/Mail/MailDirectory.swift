public import NewsCore
public import NewsText

/// A place that messages are delivered to, each once.
public protocol MailDirectory: Sendable {
  func hasDelivered(_ id: String) -> Bool
  func deliver(
    _ message: [UInt8],
    id: String,
    time: Timestamp,
    isSeen: Bool,
    isFlagged: Bool
  ) throws(OutputError)
  /// All that was delivered is on the disk when this returns.
  func finish() throws(OutputError)
}

/// A request as received.
public struct ReceivedRequest: Sendable {
  public var method: String
  /// Path and query as sent; for a proxy request the whole URL.
  public var target: String
  /// Fields in order, names as sent.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// Milliseconds of a steady clock.
  public var time: Int64
  /// 1 for the first connection that the server accepted.
  public var connection: Int

  /// The first field of that name, without regard to case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

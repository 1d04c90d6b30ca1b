/// A request received by the server.
public struct ReceivedRequest: Sendable {
  public var method: String
  /// Path and query as sent; for a proxy request, the complete URL.
  public var target: String
  /// The fields in order, with names as sent.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// The time of arrival, in milliseconds of a monotonic clock.
  public var time: Int64
  /// Number of the connection, starting from 1.
  public var connection: Int

  /// Returns the first field with that name, ignoring case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// When waiting readers query a store on PostgreSQL.
public struct WakeTiming: Sendable {
  /// Longest time between two queries, in case an announcement is lost.
  public var net: Duration = .seconds(5)
  /// Shortest time between two queries. While many transactions commit, one query reads the changes of several.
  public var spacing: Duration = .milliseconds(100)
  /// Time between attempts to listen, after the connection failed or the server refused LISTEN.
  public var retry: Duration = .seconds(30)

  public init() {}
}

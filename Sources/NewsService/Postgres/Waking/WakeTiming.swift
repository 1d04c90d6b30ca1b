/// When readers of a store on PostgreSQL look at it.
public struct WakeTiming: Sendable {
  /// Longest time between two looks, in case an announcement is lost.
  public var net: Duration = .seconds(5)
  /// Shortest time between two looks: while many transactions commit, a reader reads what several of them changed.
  public var spacing: Duration = .milliseconds(100)
  /// Time until the server is asked again to announce changes, if it did not.
  public var retry: Duration = .seconds(30)

  public init() {}
}

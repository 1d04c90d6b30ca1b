/// The reason why a socket cannot be opened for listening.
public struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// States the address, the problem and what to do.
  public let message: String
  public var description: String { message }
}

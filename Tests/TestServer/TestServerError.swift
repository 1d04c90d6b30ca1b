/// An error that prevents the server from starting.
public struct TestServerError: Error, CustomStringConvertible {
  public let description: String
}

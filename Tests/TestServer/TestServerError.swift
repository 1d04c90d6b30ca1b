/// Why a server could not start.
public struct TestServerError: Error, CustomStringConvertible {
  public let description: String
}

/// Copies one store into another. Each is a path or an address.
public struct StoreCopyRoute: Hashable, Sendable {
  public var source: String
  public var target: String

  public init(from source: String, to target: String) {
    self.source = source
    self.target = target
  }
}

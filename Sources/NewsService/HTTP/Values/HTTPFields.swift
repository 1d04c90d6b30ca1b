import NewsToolbox

/// The header fields of a request or a reply, in their order. Names are compared without regard to ASCII case.
public struct HTTPFields: Sendable {
  public var pairs: [(name: String, value: String)]

  public init(_ pairs: [(name: String, value: String)] = []) {
    self.pairs = pairs
  }

  /// Returns the first value of a name.
  public func first(_ name: String) -> String? {
    pairs.first { $0.name.isEqual(ignoringASCIICase: name) }?.value
  }

  /// Returns all values of a name, in order.
  public func all(_ name: String) -> [String] {
    pairs.filter { $0.name.isEqual(ignoringASCIICase: name) }.map(\.value)
  }

  public mutating func append(_ name: String, _ value: String) {
    pairs.append((name, value))
  }

  /// Sets the only value of a name.
  public mutating func set(_ name: String, _ value: String) {
    pairs.removeAll { $0.name.isEqual(ignoringASCIICase: name) }
    pairs.append((name, value))
  }
}

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

/// The decoded names and values of a query or a form, in their order. A name may occur several times.
public struct HTTPParameters: Sendable {
  public var pairs: [(name: String, value: String)]

  public init(_ pairs: [(name: String, value: String)] = []) {
    self.pairs = pairs
  }

  /// Decodes `application/x-www-form-urlencoded` text: pairs between `&`, a plus sign for a space.
  ///
  /// Decoding is lenient, because clients send text that is not encoded: a `%` without two digits stays, and bytes that
  /// are not UTF-8 become U+FFFD.
  public init(encoded: some Collection<UInt8>) {
    pairs = encoded.split(separator: UInt8(ascii: "&")).map { pair in
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return (Self.decode(pair), "") }
      return (Self.decode(pair[..<sign]), Self.decode(pair[pair.index(after: sign)...]))
    }
  }

  /// Decodes like `init(encoded:)`. Returns nil if there are more pairs than `limit`: the memory for a pair is many
  /// times as large as the one byte that separates it from the next.
  public init?(encoded: [UInt8], limit: Int) {
    guard encoded.count(where: { $0 == UInt8(ascii: "&") }) < limit else { return nil }
    self.init(encoded: encoded)
  }

  /// Returns the first value of a name.
  public func first(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns all values of a name, in order.
  public func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  private static func decode(_ text: some Collection<UInt8>) -> String {
    PercentCoding.decodeLeniently(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}

extension JSONValue {
  /// Parses JSON. Fails when the bytes are not one valid JSON value, or nest deeper than `JSONReader.maximumDepth`.
  /// Maximum number of values in a line of an export or in an item. An item has some fifty.
  public static let mostValuesOfLine = 100_000

  public init?(valid bytes: UnsafeBufferPointer<UInt8>, mostValues: Int = .max) {
    var reader = JSONReader(bytes, mostValues: mostValues)
    guard let value = reader.read(), reader.firstProblem == nil else { return nil }
    self = value
  }

  /// Parses JSON. Fails when the text is not one valid JSON value, or nests deeper than `JSONReader.maximumDepth`.
  public init?(valid text: String) {
    guard let value = text.withBytes({ JSONValue(valid: $0) }) else { return nil }
    self = value
  }

  /// The value as JSON, written in one fixed way; the order of members and the spelling of numbers do not
  /// change.
  public var serialized: String {
    var json = JSONWriter()
    json.value(self)
    return json.string
  }
}

extension JSONValue {
  /// Maximum number of values in a line of an export or in an item. An item has some fifty.
  public static let mostValuesOfLine = 100_000
  /// Maximum number of values in a request. Most of them are numbers of items.
  private static let mostValuesOfRequest = 500_000

  /// Parses JSON. Fails when the bytes are not one valid JSON value, nest deeper than `JSONReader.maximumDepth`, or have
  /// more than `mostValues` values.
  public init?(valid bytes: UnsafeBufferPointer<UInt8>, mostValues: Int = .max) {
    var reader = JSONReader(bytes, mostValues: mostValues)
    guard let value = reader.read(), reader.firstProblem == nil else { return nil }
    self = value
  }

  /// Parses the body of a request, with a limit on its values.
  public init?(requestBody bytes: [UInt8]) {
    let parsed = bytes.withUnsafeBufferPointer { JSONValue(valid: $0, mostValues: Self.mostValuesOfRequest) }
    guard let value = parsed else { return nil }
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

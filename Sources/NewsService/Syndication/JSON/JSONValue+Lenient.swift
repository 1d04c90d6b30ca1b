import NewsToolbox

/// Reads values leniently, for feeds that confuse the types of JSON.
extension JSONValue {
  /// A string or number as non-empty text; nil for other values.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let text): text
    case .null, .bool, .array, .object: nil
    }
  }

  /// The whole part of a number, or of a string that contains a number.
  var wholeNumber: Int64? {
    switch self {
    case .number(let text), .string(let text):
      if let value = Int64(text) { return value }
      guard let value = Double(text), value.isFinite, abs(value) < 9e15 else { return nil }
      return Int64(value)
    case .null, .bool, .array, .object: return nil
    }
  }

  /// A Boolean, or the strings `true`, `yes`, `false` and `no` as Booleans; nil for other values.
  var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .string("true"), .string("yes"): true
    case .string("false"), .string("no"): false
    case .null, .number, .string, .array, .object: nil
    }
  }

  /// The elements of an array; a single value counts as an array of one.
  var elements: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    case .bool, .number, .string, .object: [self]
    }
  }
}

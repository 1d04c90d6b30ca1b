import NewsToolbox

/// Lenient readings of values, for feeds that confuse the types of JSON.
extension JSONValue {
  /// The value as non-empty text, for strings and numbers; else nil.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let text): text
    case .null, .bool, .array, .object: nil
    }
  }

  /// The value of a number, or of a string that contains one; fractions are dropped.
  var wholeNumber: Int64? {
    switch self {
    case .number(let text), .string(let text):
      if let value = Int64(text) { return value }
      guard let value = Double(text), value.isFinite, abs(value) < 9e15 else { return nil }
      return Int64(value)
    case .null, .bool, .array, .object: return nil
    }
  }

  /// True and false, also as strings.
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

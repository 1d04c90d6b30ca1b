/// A JSON value (RFC 8259). Objects keep the order of their members; of repeated names the last is used.
enum JSONValue {
  case null
  case bool(Bool)
  /// The number as text, because ids may exceed the precision of `Double`.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members and the object's offset in the document.
  case object([(name: String, value: JSONValue)], at: Int)

  subscript(name: String) -> JSONValue? {
    guard case .object(let members, _) = self else { return nil }
    guard let value = members.last(where: { $0.name == name })?.value else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// The value as non-empty text, for strings and numbers; else nil.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let text): text
    case .null, .bool, .array, .object: nil
    }
  }

  var integer: Int64? {
    switch self {
    case .number(let text), .string(let text):
      if let value = Int64(text) { return value }
      guard let value = Double(text), value.isFinite, abs(value) < 9e15 else { return nil }
      return Int64(value)
    case .null, .bool, .array, .object: return nil
    }
  }

  var bool: Bool? {
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

  var isObject: Bool {
    if case .object = self { return true }
    return false
  }
}

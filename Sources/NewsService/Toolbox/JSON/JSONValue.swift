/// A JSON value (RFC 8259). Objects keep the order of their members; if a name is repeated, the last one
/// counts.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// The number as written, because ids may exceed the precision of `Double`.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// `at` is the object's offset in the document.
  case object([Member], at: Int = 0)

  public struct Member: Sendable {
    public var name: String
    public var value: JSONValue

    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  public static func integer(_ value: Int64) -> JSONValue { .number(String(value)) }

  /// An object of the members that have a value.
  public static func object(of members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// The texts as an array; nil if there are none.
  public static func texts(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
  }

  /// The value of a member; nil for a missing one and for null.
  public subscript(_ name: String) -> JSONValue? {
    guard let value = members?.last(where: { $0.name == name })?.value else { return nil }
    if case .null = value { return nil }
    return value
  }

  public var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// The value of a number without a fraction.
  public var integer: Int64? {
    if case .number(let text) = self { return Int64(text) }
    return nil
  }

  public var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { return value }
    return nil
  }

  public var members: [Member]? {
    if case .object(let value, _) = self { return value }
    return nil
  }
}

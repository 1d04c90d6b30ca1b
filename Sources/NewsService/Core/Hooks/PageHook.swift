import NewsToolbox

/// A hook that was added on the page: a preset, and what was filled in.
public struct PageHook: Hashable, Sendable {
  /// Maximum number of hooks of the page of an account.
  public static let most = 50

  public var name: String
  /// The name of the preset.
  public var preset: String
  /// Selects the items; nil: all about which the preset's events are.
  public var query: String?
  /// What was filled in, by the name of the field.
  public var values: [String: String]

  public init(name: String, preset: String, query: String? = nil, values: [String: String] = [:]) {
    self.name = name
    self.preset = preset
    self.query = query
    self.values = values
  }

  /// What was filled in, as JSON.
  package var storedValues: String {
    let members = values.sorted { $0.key < $1.key }
      .map { JSONValue.Member(name: $0.key, value: .string($0.value)) }
    return JSONValue.object(members).serialized
  }

  /// Reads a stored hook.
  package init(name: String, preset: String, query: String?, storedValues: String) {
    self.init(name: name, preset: preset, query: query)
    for member in JSONValue(valid: storedValues)?.members ?? [] { values[member.name] = member.value.string }
  }
}

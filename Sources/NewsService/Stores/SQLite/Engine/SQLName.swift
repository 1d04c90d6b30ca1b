import NewsToolbox

/// Names in SQL text.
enum SQLName {
  /// Quotes a name of the schema, which may be that of a foreign file.
  static func quoted(_ name: String) -> String { "\"\(name.replacing(ascii: "\"", with: "\"\""))\"" }
}

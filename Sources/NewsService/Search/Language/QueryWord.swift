import NewsToolbox

/// Words of the query language.
public enum QueryWord {
  /// Returns a value as one word of a query, quoted where necessary.
  public static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-./_".unicodeScalars.contains(scalar)
    }
    return isPlain && !value.isEmpty ? value : "\"\(value.backslashing("\"\\"))\""
  }
}

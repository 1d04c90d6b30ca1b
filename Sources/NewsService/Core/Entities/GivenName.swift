import NewsToolbox

/// Names that users, clients and lists give to feeds, folders, saved searches and app passwords.
public enum GivenName {
  /// Maximum length in bytes of UTF-8. An index of PostgreSQL refuses texts over 2,700 bytes, and names in lower case may
  /// be longer than the original.
  public static let longest = 1000

  /// Throws `badQuery` if the name is too long. `kind` says what it names, such as "a folder".
  public static func check(_ name: String?, of kind: StaticString) throws(StoreError) {
    guard let name, name.utf8.count > longest else { return }
    throw StoreError(code: .badQuery, message: "the name of \(kind) must have at most \(longest) bytes")
  }

  /// Returns the name, cut at the last Unicode scalar within the limit, for lists that are taken over.
  public static func cut(_ name: String) -> String { cut(name, to: longest) }

  /// Returns the text, cut at the last Unicode scalar within `limit` bytes.
  public static func cut(_ text: String, to limit: Int) -> String {
    let units = text.utf8
    guard units.count > limit else { return text }
    var end = units.index(units.startIndex, offsetBy: limit)
    while UTF8.isContinuation(units[end]) { units.formIndex(before: &end) }
    return String(decoding: units[..<end], as: UTF8.self)
  }
}

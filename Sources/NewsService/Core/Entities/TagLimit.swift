/// Limits the length of an item's tags.
package enum TagLimit {
  /// Maximum length in bytes of UTF-8. An index of PostgreSQL refuses texts over 2,700 bytes, and tags in lower case may
  /// be longer than the original.
  package static let bytes = 500

  /// Returns the tag, cut at the last Unicode scalar within the limit.
  package static func cut(_ tag: String) -> String {
    let units = tag.utf8
    guard units.count > bytes else { return tag }
    var end = units.index(units.startIndex, offsetBy: bytes)
    while UTF8.isContinuation(units[end]) { units.formIndex(before: &end) }
    return String(decoding: units[..<end], as: UTF8.self)
  }

  /// Cuts every tag. If tags are equal afterwards, only the first one stays.
  package static func cut(_ tags: [String]) -> [String] {
    guard tags.contains(where: { $0.utf8.count > bytes }) else { return tags }
    var seen: Set<String> = []
    return tags.map { cut($0) }.filter { seen.insert($0).inserted }
  }
}

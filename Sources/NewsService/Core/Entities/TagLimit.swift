/// Limits the length of an item's tags.
package enum TagLimit {
  /// Maximum length in bytes of UTF-8. An index of PostgreSQL refuses texts over 2,700 bytes, and tags in lower case may
  /// be longer than the original.
  package static let bytes = 500

  /// Returns the tag, cut at the last Unicode scalar within the limit.
  package static func cut(_ tag: String) -> String { GivenName.cut(tag, to: bytes) }

  /// Cuts every tag. If tags are equal afterwards, only the first one stays.
  package static func cut(_ tags: [String]) -> [String] {
    guard tags.contains(where: { $0.utf8.count > bytes }) else { return tags }
    var seen: Set<String> = []
    return tags.map { cut($0) }.filter { seen.insert($0).inserted }
  }
}

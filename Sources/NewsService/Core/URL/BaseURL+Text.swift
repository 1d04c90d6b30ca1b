import NewsToolbox

extension BaseURL {
  /// Longest accepted base, in bytes: a long base would expand every relative link.
  public static let maximumLength = 4096

  /// Parses a base. Fails when `url` is relative, longer than 4 KiB, of a scheme without hierarchical paths
  /// (`mailto:`), or of a scheme that `URLPolicy.field` refuses (`file:`, `javascript:`).
  public init?(_ url: String) {
    guard url.utf8.count <= Self.maximumLength,
      let cleaned = URLResolver.resolve(url, against: nil, policy: .field)
    else { return nil }
    let parts = URLParts(cleaned)
    guard let schemeLength = parts.schemeLength,
      parts.authority != nil || cleaned.slice(parts.path).hasPrefix(bytesOf: "/")
    else { return nil }
    self.schemeLength = schemeLength
    bytes = Array(cleaned.utf8.prefix(parts.query?.upperBound ?? parts.path.upperBound))
    pathStart = parts.path.lowerBound
    pathEnd = parts.path.upperBound
    hasAuthority = parts.authority != nil
    let slash = bytes[pathStart..<pathEnd].lastIndex(of: UInt8(ascii: "/"))
    directoryEnd = slash.map { $0 + 1 } ?? pathStart
  }
}

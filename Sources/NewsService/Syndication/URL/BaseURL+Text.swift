extension BaseURL {
  /// Longest accepted base, in bytes: a long base would expand every relative link.
  static let maximumLength = 4096

  /// Fails when `url` is relative, longer than 4 KiB, or of a scheme without hierarchical paths (`mailto:`).
  public init?(_ url: String) {
    guard url.utf8.count <= Self.maximumLength,
      let cleaned = URLResolver.resolve(url, against: nil, policy: .field),
      let parts = URLParts(cleaned), let schemeLength = parts.schemeLength
    else { return nil }
    guard parts.authority != nil || parts.bytes[parts.path].first == UInt8(ascii: "/") else { return nil }
    self.schemeLength = schemeLength
    bytes = Array(parts.bytes[..<(parts.query?.upperBound ?? parts.path.upperBound)])
    pathStart = parts.path.lowerBound
    pathEnd = parts.path.upperBound
    hasAuthority = parts.authority != nil
    directoryEnd =
      (bytes[pathStart..<pathEnd].lastIndex(of: UInt8(ascii: "/")) ?? (parts.path.lowerBound - 1)) + 1
  }
}

extension URLResolver {
  /// Resolves against a base given as text; ignores an invalid base.
  public static func resolve(_ reference: String, base: String?, policy: URLPolicy = .link) -> String? {
    resolve(reference, against: base.flatMap { BaseURL($0) }, policy: policy)
  }
}

extension BaseURL {
  /// Longer bases are refused, because every relative link is longer by its base.
  static let maximumLength = 4096

  /// Nil when `url` is not an absolute URL, is longer than 4 KiB, or has a scheme that nothing can be relative to.
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
  /// Resolves against a base that is text; an invalid base is ignored.
  public static func resolve(_ reference: String, base: String?, policy: URLPolicy = .link) -> String? {
    resolve(reference, against: base.flatMap { BaseURL($0) }, policy: policy)
  }
}

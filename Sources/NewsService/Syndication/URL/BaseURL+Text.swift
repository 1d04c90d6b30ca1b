extension BaseURL {
  /// Longer bases are refused, because every relative link is longer by its base.
  static let maximumLength = 4096

  /// Nil when `url` is no absolute URL, is longer than 4 KiB, or has a scheme that nothing can be relative to.
  public init?(_ url: String) {
    guard url.utf8.count <= Self.maximumLength,
      let cleaned = URLResolver.resolve(url, against: nil, policy: .field),
      let parts = URLParts(cleaned), let schemeLength = parts.schemeLength
    else { return nil }
    guard parts.authority != nil || parts.bytes[parts.path].first == 0x2F else { return nil }
    self.schemeLength = schemeLength
    bytes = Array(parts.bytes[..<(parts.query?.upperBound ?? parts.path.upperBound)])
    pathStart = parts.path.lowerBound
    pathEnd = parts.path.upperBound
    hasAuthority = parts.authority != nil
    directoryEnd =
      (bytes[pathStart..<pathEnd].lastIndex(of: 0x2F) ?? (parts.path.lowerBound - 1)) + 1
  }
}

extension URLResolver {
  /// The same with a base that is still text; one that is no base counts as none.
  public static func resolve(_ reference: String, base: String?, policy: URLPolicy = .link) -> String? {
    resolve(reference, against: base.flatMap { BaseURL($0) }, policy: policy)
  }
}

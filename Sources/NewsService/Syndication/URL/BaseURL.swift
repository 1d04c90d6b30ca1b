/// A parsed URL against which references are resolved (RFC 3986 section 5.1).
public struct BaseURL: Sendable, Hashable {
  /// The URL, cleaned and without its fragment.
  let bytes: [UInt8]
  /// Length of the scheme, without the colon.
  let schemeLength: Int
  /// Index of the path, after scheme and authority.
  let pathStart: Int
  /// Index after the last `/` of the path.
  let directoryEnd: Int
  /// Index after the path: of `?`, if there is a query.
  let pathEnd: Int
  let hasAuthority: Bool

  /// The URL as text, cleaned and without its fragment.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

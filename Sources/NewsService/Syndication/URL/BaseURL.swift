/// A URL that references are resolved against, taken apart once (RFC 3986 section 5.1).
public struct BaseURL: Sendable, Hashable {
  /// Cleaned; without a fragment.
  let bytes: [UInt8]
  /// Bytes of the scheme, without its colon.
  let schemeLength: Int
  /// Where scheme and authority end: the path begins here.
  let pathStart: Int
  /// Behind the last `/` of the path.
  let directoryEnd: Int
  /// Where the path ends: the `?`, if there is one.
  let pathEnd: Int
  let hasAuthority: Bool

  /// The URL as text, cleaned and without its fragment.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}

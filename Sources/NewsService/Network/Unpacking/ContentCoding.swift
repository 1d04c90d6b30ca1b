import NewsToolbox

/// A content coding (RFC 9110 section 8.4.1).
enum ContentCoding: Hashable, CaseIterable {
  case gzip, deflate, brotli, zstd

  /// Parses a `Content-Encoding` field and returns the codings in the order in which they were applied. Ignores
  /// `identity` and unknown names: some servers send `utf-8` or `none` with uncompressed documents.
  static func named(in field: String?) -> [ContentCoding] {
    guard let field else { return [] }
    return field.split(ascii: ",").compactMap { name in
      switch String(name).trimmed.lowercased() {
      case "gzip", "x-gzip": .gzip
      case "deflate", "x-deflate": .deflate
      case "br": .brotli
      case "zstd": .zstd
      default: nil
      }
    }
  }

  private var name: String {
    switch self {
    case .gzip: "gzip"
    case .deflate: "deflate"
    case .brotli: "br"
    case .zstd: "zstd"
    }
  }

  /// The value of `Accept-Encoding`: the codings whose libraries are available.
  static let accepted = allCases.filter { $0.makeDecoder() != nil }.map(\.name).joined(separator: ", ")

  /// Creates a decoder for this coding. Returns nil if its library is missing.
  func makeDecoder() -> (any StreamDecoder)? {
    switch self {
    case .gzip: InflateDecoder(.gzip)
    case .deflate: InflateDecoder(.zlib)
    case .brotli: BrotliDecoder()
    case .zstd: ZstdDecoder()
    }
  }
}

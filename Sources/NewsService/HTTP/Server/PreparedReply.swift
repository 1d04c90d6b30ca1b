import NewsToolbox

/// A reply that is ready to be sent: conditions, compression and the rules for HEAD have been applied.
struct PreparedReply: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    case asset(StaticAsset, isCompressed: Bool)
    case stream(any HTTPBodyStream)
    /// The length of the body of an answer to HEAD; the body is not sent.
    case length(Int)
  }

  var status: Int
  var fields: HTTPFields
  var body: Body

  /// Maximum size of a body of bytes that is copied at once; longer ones stay in memory until they are sent.
  private static let mostCopied = 64 << 10

  var isLong: Bool {
    if case .bytes(let bytes) = body { bytes.count > Self.mostCopied } else { false }
  }

  init(status: Int, fields: HTTPFields, body: Body) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  init(_ reply: HTTPReply, to request: HTTPRequest, assets: AssetCache) {
    self.init(status: reply.status, fields: reply.fields, body: .bytes([]))
    addDefaults()
    let isRead = request.method == .get || request.method == .head
    if isRead, status == 200, let tag = fields.first("ETag"), Self.matches(request.fields, tag) {
      status = 304
      return
    }
    switch reply.body {
    case .none: break
    case .bytes(let bytes):
      body = .bytes(bytes)
      if mayCompress(request, length: bytes.count), let packed = Deflater.gzip(bytes),
        packed.count < bytes.count
      {
        body = .bytes(packed)
        noteCompression()
      }
    case .asset(let asset):
      let packed = mayCompress(request, length: asset.bytes.count) && assets.compressed(asset) != nil
      body = .asset(asset, isCompressed: packed)
      if packed { noteCompression() }
    case .stream(let stream):
      if !stream.isEndless, mayCompress(request, length: nil), let packed = PackedStream(stream) {
        body = .stream(packed)
        noteCompression()
      } else {
        body = .stream(stream)
      }
    }
  }

  /// Determines the length of a stream for an answer to HEAD, by reading the stream to its end. If the length were
  /// unknown, libmicrohttpd would send an empty chunk, which the client would mistake for the next answer.
  mutating func countStream() async {
    guard case .stream(let stream) = body else { return }
    guard !stream.isEndless else {
      body = .length(0)
      return
    }
    var length = 0
    do {
      while let piece = try await stream.next() { length += piece.count }
      body = .length(length)
    } catch {
      self = PreparedReply(status: 500, fields: HTTPFields(), body: .bytes([]))
      addDefaults()
    }
  }

  /// Has the pieces of a stream made in a share.
  mutating func divide(_ share: WorkShare?) {
    if let share, case .stream(let stream) = body { body = .stream(SharedStream(stream, share)) }
  }

  /// Adds the default header fields that the handler has not set.
  private mutating func addDefaults() {
    for (name, value) in Self.defaults where fields.first(name) == nil { fields.append(name, value) }
  }

  private static let defaults = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "private, no-cache"),
  ]

  // MARK: - Compression

  /// Returns true if the body can be compressed and the client accepts gzip. Adds `Vary: Accept-Encoding` if
  /// the body can be compressed.
  private mutating func mayCompress(_ request: HTTPRequest, length: Int?) -> Bool {
    guard fields.first("Content-Encoding") == nil, length.map({ $0 >= Deflater.leastLength }) ?? true,
      let type = fields.first("Content-Type"), Self.isText(type)
    else { return false }
    fields.append("Vary", "Accept-Encoding")
    return Self.takesGzip(request.fields.all("Accept-Encoding"))
  }

  private mutating func noteCompression() {
    fields.append("Content-Encoding", "gzip")
    // Make the tag weak: a strong one would promise the same bytes with and without compression.
    if let tag = fields.first("ETag"), !tag.hasPrefix(bytesOf: "W/") { fields.set("ETag", "W/" + tag) }
  }

  static func isText(_ type: String) -> Bool {
    let type = type.prefix(upToAny: ";").trimmingBlanks
    return type.hasPrefix(bytesOf: "text/") || type.hasSuffix(bytesOf: "json")
      || type.hasSuffix(bytesOf: "xml")
      || type.hasSuffix(bytesOf: "javascript") || type.hasSuffix(bytesOf: "jsonl")
  }

  static func takesGzip(_ fields: [String]) -> Bool {
    var general = false
    for coding in fields.flatMap({ $0.split(ascii: ",") }) {
      let parts = coding.split(ascii: ";").map(\.trimmingBlanks)
      guard let name = parts.first else { continue }
      let isRefused = parts.dropFirst().contains { part in
        let weight = part.cut(atFirst: "=")
        return weight?.before.isEqual(ignoringASCIICase: "q") == true && Double(weight?.after ?? "") == 0
      }
      if name.isEqual(ignoringASCIICase: "gzip") { return !isRefused }
      if name == "*" { general = !isRefused }
    }
    return general
  }

  // MARK: - Conditions

  /// Returns true if If-None-Match contains the tag (RFC 9110 section 13.1.2: weak comparison).
  static func matches(_ fields: HTTPFields, _ tag: String) -> Bool {
    let own = opaque(tag[...])
    return fields.all("If-None-Match").contains { field in
      field.trimmingBlanks == "*"
        || field.split(ascii: ",").contains { opaque($0.trimmingBlanks).utf8.elementsEqual(own.utf8) }
    }
  }

  private static func opaque(_ tag: Substring) -> Substring {
    tag.hasPrefix(bytesOf: "W/") ? tag.dropFirst(2) : tag
  }
}

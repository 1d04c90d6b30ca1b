import Synchronization

/// Caches compressed assets and their responses.
final class AssetCache: Sendable {
  private struct Entry {
    /// The asset, retained because entries are found by its identity.
    var asset: StaticAsset
    var compressed: [UInt8]?
    /// False until the asset has been compressed.
    var isMeasured = false
    /// Files with long bodies: the compressed body under true, the plain body under false.
    var files: [Bool: MHD.MemoryFile] = [:]
    var responses: [(isCompressed: Bool, status: Int, fields: HTTPFields, response: MHD.Response)] = []
  }

  /// Maximum number of assets; bounds memory if a handler makes new assets for each request.
  private static let mostAssets = 256
  private static let mostResponses = 4

  /// Minimum size of a body that is kept in a file. A shorter body is sent faster together with the head in one call,
  /// even though it is copied.
  private static let leastInFile = 32 << 10

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Returns the asset in gzip; nil if it is too short to compress, or if gzip does not make it shorter.
  func compressed(_ asset: StaticAsset) -> [UInt8]? {
    if asset.bytes.count < Deflater.leastLength { return nil }
    if let known = entries.withLock({ $0[ObjectIdentifier(asset)] }), known.isMeasured {
      return known.compressed
    }
    var packed = Deflater.gzip(asset.bytes, level: Deflater.best)
    if let length = packed?.count, length >= asset.bytes.count { packed = nil }
    return entries.withLock { entries in
      if entries.count >= Self.mostAssets { entries = [:] }
      entries[ObjectIdentifier(asset), default: Entry(asset: asset)].compressed = packed
      entries[ObjectIdentifier(asset)]?.isMeasured = true
      return packed
    }
  }

  /// Returns a response with these fields; nil on failure. Keeps the responses with a short body for reuse,
  /// up to `mostResponses` per asset; for a long body, only the file is reused.
  func response(_ asset: StaticAsset, isCompressed: Bool, status: Int, _ fields: HTTPFields) -> MHD.Response?
  {
    let known = entries.withLock { entries in
      entries[ObjectIdentifier(asset)]?.responses.first {
        $0.isCompressed == isCompressed && $0.status == status && Self.areEqual($0.fields, fields)
      }
    }
    if let known { return known.response }
    let bytes = isCompressed ? compressed(asset) ?? asset.bytes : asset.bytes
    if bytes.count >= Self.leastInFile, let file = file(asset, isCompressed, bytes) {
      return Self.completed(MHD.response(file), fields)
    }
    guard let response = Self.completed(MHD.response(bytes), fields) else { return nil }
    entries.withLock { entries in
      let id = ObjectIdentifier(asset)
      if entries[id] == nil, entries.count < Self.mostAssets { entries[id] = Entry(asset: asset) }
      guard let count = entries[id]?.responses.count, count < Self.mostResponses else { return }
      entries[id]?.responses.append((isCompressed, status, fields, response))
    }
    return response
  }

  /// Returns the file with a long body, which is made at the first call. Returns nil if the file cannot be made.
  private func file(_ asset: StaticAsset, _ isCompressed: Bool, _ bytes: [UInt8]) -> MHD.MemoryFile? {
    let id = ObjectIdentifier(asset)
    if let known = entries.withLock({ $0[id]?.files[isCompressed] }) { return known }
    guard let file = MHD.MemoryFile(bytes) else { return nil }
    entries.withLock { entries in
      if entries.count >= Self.mostAssets { entries = [:] }
      entries[id, default: Entry(asset: asset)].files[isCompressed] = file
    }
    return file
  }

  private static func completed(_ response: MHD.Response?, _ fields: HTTPFields) -> MHD.Response? {
    guard let response else { return nil }
    for (name, value) in fields.pairs { MHD.add(name, value, to: response) }
    return response
  }

  private static func areEqual(_ a: HTTPFields, _ b: HTTPFields) -> Bool {
    a.pairs.count == b.pairs.count
      && zip(a.pairs, b.pairs).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }
}

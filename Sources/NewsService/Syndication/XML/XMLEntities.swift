import NewsToolbox

/// The general entities that the internal subset declares (XML 1.0 section 4.2); their values are read as text.
struct XMLEntities {
  private var values: [String: [UInt8]] = [:]
  private var expandedBytes = 0
  /// References expanded so far. Empty entities take time too.
  private var followed = 0
  /// The bound on expanded text was reached; all entities are empty from then on.
  private(set) var isExhausted = false
  /// The document names an external subset, which may declare any entity.
  var hasExternalSubset = false

  private static let maximumCount = 1000
  private static let maximumDepth = 8
  private static let maximumFollowed = 100_000

  /// The first declaration of a name is binding.
  mutating func declare(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard values.count < Self.maximumCount, value.count <= 1 << 16 else { return }
    let key = String(decoding: name, as: UTF8.self)
    if values[key] == nil { values[key] = Array(value) }
  }

  /// Returns the expanded value; nil if the entity is not declared. Empty once the document has expanded `limit`
  /// bytes.
  mutating func value(of name: UnsafeBufferPointer<UInt8>, limit: Int) -> [UInt8]? {
    guard !values.isEmpty else { return nil }
    let key = String(decoding: name, as: UTF8.self)
    guard values[key] != nil else { return nil }
    guard !isExhausted else { return [] }
    var result: [UInt8] = []
    let isComplete = expand(key, depth: 0, budget: limit - expandedBytes, into: &result)
    if !isComplete {
      isExhausted = true
      return []
    }
    expandedBytes += result.count + 1
    return result
  }

  /// False if the budget or the constant maximum depth is exceeded.
  private mutating func expand(_ name: String, depth: Int, budget: Int, into result: inout [UInt8]) -> Bool {
    guard depth < Self.maximumDepth, followed < Self.maximumFollowed else { return false }
    guard let value = values[name] else { return true }
    followed += 1
    var index = 0
    while index < value.count {
      guard result.count < budget else { return false }
      guard value[index] == UInt8(ascii: "&") else {
        result.append(value[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < value.count, end - index < 64, value[end] != UInt8(ascii: ";") { end += 1 }
      let isReference = end < value.count && value[end] == UInt8(ascii: ";") && end > index + 1
      guard isReference else {
        result.append(value[index])
        index += 1
        continue
      }
      let inner = String(decoding: value[(index + 1)..<end], as: UTF8.self)
      if values[inner] != nil {
        guard expand(inner, depth: depth + 1, budget: budget, into: &result) else { return false }
      } else {
        let reference = value[index...end]
        reference.withUnsafeBufferPointer { bytes in
          var decoded = ByteBuffer(capacity: 64)
          HTMLEntities.shared.decode(bytes, into: &decoded)
          result.append(contentsOf: decoded.bytes)
        }
      }
      index = end + 1
    }
    return true
  }
}

import NewsToolbox

/// The general entities that the internal subset declares (XML 1.0 section 4.2); their values are read as text.
struct XMLEntities {
  private var values: [String: [UInt8]] = [:]
  private var expandedBytes = 0
  /// Number of references expanded so far. It has its own limit, because empty entities take time too.
  private var followed = 0
  /// True after an expansion exceeded a limit: of text, of depth, or of the number of references. From then
  /// on, all entities are empty.
  private(set) var isExhausted = false
  /// True if the document names an external subset or uses `%` for parameter entities, either of which may
  /// declare any entity.
  var hasExternalSubset = false

  private static let maximumCount = 1000
  private static let maximumDepth = 8
  private static let maximumFollowed = 100_000

  /// Stores a declaration, unless the name has been declared before (XML 1.0 section 4.2).
  mutating func declare(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard values.count < Self.maximumCount, value.count <= 1 << 16 else { return }
    let key = String(streamSafe: name)
    if values[key] == nil { values[key] = Array(value) }
  }

  /// Returns the expanded value; nil if the entity is not declared. The value is empty once the document
  /// would expand more than `limit` bytes, or has exceeded another limit (`isExhausted`).
  mutating func value(of name: UnsafeBufferPointer<UInt8>, limit: Int) -> [UInt8]? {
    guard !values.isEmpty else { return nil }
    let key = String(streamSafe: name)
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

  /// Appends the expanded value to `result`. Returns false if the budget, the maximum depth or the maximum
  /// number of references is exceeded.
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
      let inner = String(streamSafe: value[(index + 1)..<end])
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

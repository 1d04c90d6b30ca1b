import NewsToolbox

/// The attributes of a start tag as libxml2 passes them: five pointers each, valid only during the callback.
struct XMLAttributes {
  private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  let count: Int

  init(_ base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// Returns the local name, prefix and raw value of the attribute at `index`.
  ///
  /// A raw value has `&#38;` for each ampersand, because libxml2 does not substitute entities here.
  @inline(__always)
  subscript(index: Int) -> (
    name: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, value: UnsafeBufferPointer<UInt8>
  )? {
    guard let base, let name = base[index &* 5], let start = base[index &* 5 &+ 3],
      let end = base[index &* 5 &+ 4]
    else { return nil }
    return (name, base[index &* 5 &+ 1], UnsafeBufferPointer(start: start, count: end - start))
  }

  /// Returns the raw value of the attribute with this local name (in lower case), ignoring prefix and case. Returns
  /// nil if the attribute is missing.
  func raw(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in 0..<count {
      guard let attribute = self[index] else { continue }
      let length = name.utf8CodeUnitCount
      var matches = true
      for offset in 0..<length where ASCII.lowercase(attribute.name[offset]) != name.utf8Start[offset] {
        // The terminator of the name differs from every letter, so the comparison ends there.
        matches = false
        break
      }
      if matches, attribute.name[length] == 0 { return attribute.value }
    }
    return nil
  }

  /// Returns the value without white space at both ends; nil if it is missing or empty.
  func text(_ name: StaticString) -> String? {
    guard let raw = raw(name) else { return nil }
    let trimmed = ByteText.trimmed(raw)
    guard !trimmed.isEmpty else { return nil }
    return Self.unescaped(trimmed)
  }

  func integer(_ name: StaticString) -> Int? {
    raw(name).flatMap(ByteText.integer)
  }

  static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    guard ByteText.firstIndex(of: UInt8(ascii: "&"), in: raw) != nil else {
      return String(streamSafe: raw)
    }
    var output = ByteBuffer(capacity: raw.count)
    unescape(raw, into: &output)
    return output.string()
  }

  /// Replaces `&#38;` by an ampersand. Other references stay as they are.
  static func unescape(_ raw: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    var index = 0
    while let ampersand = ByteText.firstIndex(of: UInt8(ascii: "&"), in: raw, from: index) {
      output.append(UnsafeBufferPointer(rebasing: raw[index...ampersand]))
      index = ampersand + 1
      if ByteText.hasPrefix(UnsafeBufferPointer(rebasing: raw[index...]), "#38;") { index += 4 }
    }
    output.append(UnsafeBufferPointer(rebasing: raw[index...]))
  }
}

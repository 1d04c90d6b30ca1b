import Glibc

/// Tests encodings on the first few bytes of a document.
enum EncodingProbe {
  /// Converts the bytes before the first invalid byte to UTF-8; nil if the encoding is not available.
  static func text(of bytes: some Collection<UInt8>, in encoding: String) -> [UInt8]? {
    guard EncodingNames.isDecodable(encoding), let descriptor = iconv_open("UTF-8", encoding),
      descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 8)
    let capacity = output.count
    var room = capacity
    input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var next = source.baseAddress
        var left = source.count
        var out = target.baseAddress
        _ = iconv(descriptor, &next, &left, &out, &room)
        // Flush, because Vietnamese converters hold back a letter that an accent may follow.
        _ = iconv(descriptor, nil, nil, &out, &room)
      }
    }
    return output[..<(capacity - room)].map { UInt8(bitPattern: $0) }
  }

  /// Converts the bytes from a labelled encoding to UTF-8; nil if the label is unknown.
  static func text(of bytes: some Collection<UInt8>, label: String) -> [UInt8]? {
    if EncodingNames.isUTF8(label) || EncodingNames.isLatin1(label) { return Array(bytes) }
    for name in EncodingNames.converters(for: label) {
      if let text = text(of: bytes, in: name) { return text }
    }
    return nil
  }

  /// True if the encoding is a superset of ASCII, or unknown; false for UTF-16 and EBCDIC.
  static func readsASCII(_ label: String) -> Bool {
    let head = Array("<?xm".utf8)
    return text(of: head, label: label).map { $0 == head } ?? true
  }

  /// True if the document begins with a tag in this encoding but not in ASCII.
  static func findsMarkup(_ label: String, in body: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.first(where: { $0 > UInt8(ascii: " ") }) != UInt8(ascii: "<"),
      let text = text(of: body.prefix(64), label: label)
    else {
      return false
    }
    return text.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
  }

  /// True if both encodings decode the first bytes to the same text.
  static func agree(_ label: String, _ other: String, on body: UnsafeBufferPointer<UInt8>) -> Bool {
    let head = body.prefix(8)
    guard let one = text(of: head, label: label), let two = text(of: head, label: other) else { return false }
    return one.prefix(2) == two.prefix(2)
  }
}

/// Encodings that newsd can decode.
public enum KnownEncodings {
  /// True for the labels of the WHATWG encoding standard and the allowed names of iconv.
  public static func contains(_ name: String) -> Bool {
    guard let label = EncodingNames.normalized(name.utf8) else { return false }
    return EncodingProbe.text(of: [UInt8](), label: label) != nil
  }
}

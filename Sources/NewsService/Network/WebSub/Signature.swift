/// Converts between bytes and hexadecimal digits.
enum Hex {
  static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns nil if the number of digits is odd or the text contains other characters.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}

/// Verifies the `X-Hub-Signature` field, `method=digits` (W3C WebSub section 7.1).
enum HubSignature {
  /// Returns true if the field is a valid signature of the body under the secret.
  static func isValid(_ field: String?, body: [UInt8], secret: String) -> Bool {
    guard let field else { return false }
    let parts = field.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let hash = SecureHash(rawValue: parts[0].trimmed.lowercased()),
      let claimed = Hex.decode(parts[1].trimmed)
    else { return false }
    let expected = hash.authenticate(body, key: Array(secret.utf8))
    guard claimed.count == expected.count else { return false }
    // Compare all bytes, so that the duration reveals nothing.
    return zip(claimed, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

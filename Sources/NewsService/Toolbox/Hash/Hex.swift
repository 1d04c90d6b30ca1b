/// Converts between bytes and hexadecimal digits.
public enum Hex {
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Decodes hexadecimal digits. Returns nil if the number of digits is odd or the text contains other characters.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = ASCII.hexValue(text[index]), let low = ASCII.hexValue(text[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

/// Tests an address by its first bytes.
enum WebLink {
  /// True for an http or https address; false for names (`urn:`, `tag:`), paths and unsafe schemes.
  static func isWeb(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { ByteText.hasPrefix($0, "https://") || ByteText.hasPrefix($0, "http://") }
  }
}

/// Tests of an address by its first bytes.
enum WebLink {
  /// True for an http or https address; others are names (`urn:`, `tag:`), paths or worse.
  static func isWeb(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { ByteText.hasPrefix($0, "https://") || ByteText.hasPrefix($0, "http://") }
  }
}

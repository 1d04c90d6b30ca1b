/// What can be said of an address by its beginning alone.
enum WebLink {
  /// True for an http or https address; others are names (`urn:`, `tag:`), paths or worse.
  static func isWeb(_ text: String) -> Bool {
    text.utf8.prefix(8).elementsEqual("https://".utf8) || text.utf8.prefix(7).elementsEqual("http://".utf8)
  }
}

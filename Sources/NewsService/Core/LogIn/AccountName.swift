import NewsToolbox

/// Which names the account may have.
public enum AccountName {
  /// The rule, for messages such as `web.user must …`.
  public static let rule = "must have 1 to 100 bytes, without colons and control characters"

  /// True for a name that Basic credentials can carry.
  public static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && FeedSettings.isSendable(text)
      && !text.utf8.contains(UInt8(ascii: ":"))
  }
}

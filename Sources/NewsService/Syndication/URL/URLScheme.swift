import NewsToolbox

/// Classes of URL schemes.
enum URLScheme: UInt8 {
  /// `http` and `https`.
  case web = 1
  /// May be loaded with a page: `ftp`.
  case transfer
  /// Leads to a person or a program, harmless to print as a link.
  case link
  /// Identifies something without leading there: `tag`, `urn`.
  case identifier
  /// Carries a program or a whole document.
  case active

  /// Nil for a scheme that newsd does not know.
  @inline(__always)
  init?(_ start: UnsafePointer<UInt8>, _ length: Int) {
    if length == 4 || length == 5, start[0] == UInt8(ascii: "h"), start[1] == UInt8(ascii: "t"),
      start[2] == UInt8(ascii: "t"), start[3] == UInt8(ascii: "p"),
      length == 4 || start[4] == UInt8(ascii: "s")
    {
      self = .web
      return
    }
    let value = Self.table.value(start, length)
    guard value != 0, let scheme = URLScheme(rawValue: value) else { return nil }
    self = scheme
  }

  private static let table = NameTable(
    lists.flatMap { scheme, names in names.split(separator: " ").map { (String($0), scheme.rawValue) } }
  )

  private static let lists: [(URLScheme, String)] = [
    (.web, "http https"),
    (.transfer, "ftp ftps sftp"),
    (
      .link,
      """
      mailto tel sms xmpp irc ircs irc6 sip sips magnet geo webcal news nntp snews gopher gemini feed podcast itpc \
      pcast itms itms-apps rtsp rtmp mms callto facetime skype matrix nostr bitcoin ethereum lightning ed2k telnet \
      ssh git svn svn+ssh rsync imap aim msnim ymsg gtalk spotify steam tg signal whatsapp web+ap web+mastodon acct \
      dat ipfs ipns hdl doi wais prospero h323 finger
      """
    ),
    (.identifier, "tag urn uuid info oai cid mid guid yt"),
    (
      .active,
      """
      javascript vbscript data livescript mocha jscript about blob filesystem view-source chrome resource jar \
      ms-its mhtml file wyciwyg mk ms-itss shell
      """
    ),
  ]
}

/// Which schemes a resolved reference may have.
public enum URLPolicy: Sendable {
  /// A link that a person follows: known schemes only.
  case link
  /// Something that is loaded with a page: `http`, `https`, `ftp`.
  case resource
  /// A field that may identify instead of lead: everything but schemes that carry a program or a document
  /// (`javascript:`, `data:`, `vbscript:`, `file:` and their kind).
  case field

  @inline(__always)
  func allows(_ scheme: URLScheme?) -> Bool {
    switch self {
    case .link:
      guard let scheme else { return false }
      return scheme.rawValue <= URLScheme.link.rawValue
    case .resource: return scheme == .web || scheme == .transfer
    case .field: return scheme != .active
    }
  }
}

import NewsToolbox

/// Classes of URL schemes.
public enum URLScheme: UInt8, Sendable {
  /// `http` and `https`.
  case web = 1
  /// Other schemes from which a page can load content: `ftp`, `ftps`, `sftp`.
  case transfer
  /// Schemes that open a program, such as `mailto` or `tel`; safe as a link.
  case link
  /// Schemes of identifiers without a location: `tag`, `urn`.
  case identifier
  /// Schemes whose URLs contain or read a program or a whole document: `javascript`, `data`, `file`.
  case active

  /// Classifies the scheme of a URL. Fails for a relative reference and for a scheme that newsd does not know.
  public init?(of url: UnsafeBufferPointer<UInt8>) {
    guard let start = url.baseAddress, let length = URLParts.schemeLength(url) else { return nil }
    self.init(start, length)
  }

  /// Classifies the scheme in the first `length` bytes.
  @inline(__always)
  public init?(_ start: UnsafePointer<UInt8>, _ length: Int) {
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
    lists.flatMap { scheme, names in names.split(ascii: " ").map { (String($0), scheme.rawValue) } }
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

/// The schemes that a resolved reference may have.
public enum URLPolicy: Sendable {
  /// A link for a person to follow: schemes of the classes `web`, `transfer` and `link`.
  case link
  /// Content that a page loads: schemes of the classes `web` and `transfer`.
  case resource
  /// A field that may hold an identifier: every scheme that does not contain a program or a document (unlike
  /// `javascript:`, `data:`, `vbscript:`, `file:`).
  case field

  public func allows(_ scheme: URLScheme?) -> Bool {
    switch self {
    case .link:
      guard let scheme else { return false }
      return scheme.rawValue <= URLScheme.link.rawValue
    case .resource: return scheme == .web || scheme == .transfer
    case .field: return scheme != .active
    }
  }
}

public import NewsCore
import NewsFormats
import NewsToolbox

/// Writes HTML. Text and the values of attributes are escaped; only literals of the program and the sanitized HTML of
/// items are written as they are.
///
/// Works on bytes: a `<` followed by a combining mark is escaped, too.
public struct HTMLBuilder: ~Copyable {
  private var buffer = ByteBuffer(capacity: 1 << 15)
  /// The site at which browsers reach newsd; links begin with its prefix.
  public let site: WebSite

  public init(site: WebSite = WebSite()) {
    self.site = site
  }

  /// The document so far.
  public var bytes: [UInt8] { Array(buffer.bytes) }

  /// Writes a start tag, which is the only tag of a void element.
  public mutating func tag(_ name: StaticString, _ attributes: MarkupAttribute?...) {
    open(name, attributes)
  }

  public mutating func end(_ name: StaticString) {
    buffer.append("</")
    buffer.append(name)
    buffer.append(">")
  }

  /// Writes an element; `content` writes what is inside it.
  public mutating func element(
    _ name: StaticString,
    _ attributes: MarkupAttribute?...,
    content: (inout HTMLBuilder) -> Void
  ) {
    open(name, attributes)
    content(&self)
    end(name)
  }

  /// Writes an element that contains only text.
  public mutating func element(_ name: StaticString, _ attributes: MarkupAttribute?..., text: String) {
    open(name, attributes)
    self.text(text)
    end(name)
  }

  public mutating func text(_ text: String) {
    buffer.append(html: text)
  }

  /// Writes markup that is a literal of the program.
  public mutating func literal(_ markup: StaticString) {
    buffer.append(markup)
  }

  /// Writes the sanitized HTML of an item, without the feed's styles.
  ///
  /// `media` makes the addresses of its pictures and recordings; nil: those of the publishers stay.
  public mutating func content(_ html: String, of id: NewsItem.ID, media: MediaAddresses? = nil) {
    PageContent.append(html, of: id, on: .webPage(site, media), to: &buffer)
  }

  private mutating func open(_ name: StaticString, _ attributes: [MarkupAttribute?]) {
    buffer.append("<")
    buffer.append(name)
    for attribute in attributes {
      guard let attribute else { continue }
      buffer.append(" ")
      buffer.append(attribute.name)
      switch attribute.value {
      case .flag: continue
      case .text(let text): write(value: text, prefix: nil)
      case .path(let path): write(value: path, prefix: site.prefix)
      }
    }
    buffer.append(">")
  }

  private mutating func write(value: String, prefix: String?) {
    buffer.append("=\"")
    if let prefix { buffer.append(html: prefix) }
    buffer.append(html: value)
    buffer.append("\"")
  }
}

/// An attribute of an element.
public struct MarkupAttribute: Sendable {
  enum Value: Sendable {
    /// The attribute has no value.
    case flag
    case text(String)
    /// A path of newsd, to which the builder adds the site's prefix.
    case path(String)
  }

  let name: StaticString
  let value: Value

  private init(_ name: StaticString, _ value: Value) {
    self.name = name
    self.value = value
  }

  /// Any attribute whose value is not a URL.
  public static func value(_ name: StaticString, _ text: String) -> MarkupAttribute {
    MarkupAttribute(name, .text(text))
  }

  /// Returns an attribute with the text as its value; nil if the text is nil.
  public static func optional(_ name: StaticString, _ text: String?) -> MarkupAttribute? {
    text.map { MarkupAttribute(name, .text($0)) }
  }

  /// Returns an attribute without a value; nil if the condition is false.
  public static func flag(_ name: StaticString, if condition: Bool = true) -> MarkupAttribute? {
    condition ? MarkupAttribute(name, .flag) : nil
  }

  public static func `class`(_ names: String) -> MarkupAttribute { MarkupAttribute("class", .text(names)) }
  public static func id(_ name: String) -> MarkupAttribute { MarkupAttribute("id", .text(name)) }
  public static func name(_ name: String) -> MarkupAttribute { MarkupAttribute("name", .text(name)) }
  public static func type(_ name: String) -> MarkupAttribute { MarkupAttribute("type", .text(name)) }

  /// The direction follows from the text itself.
  public static var autoDirection: MarkupAttribute { MarkupAttribute("dir", .text("auto")) }

  /// The language, if the feed named a valid one.
  public static func language(_ tag: String?) -> MarkupAttribute? {
    optional("lang", ProtocolText.language(tag))
  }

  /// A link to a page of newsd.
  public static func href(_ path: String) -> MarkupAttribute { MarkupAttribute("href", .path(path)) }
  /// The attribute with the path of newsd's own style sheet, script or form.
  public static func path(_ name: StaticString, _ path: String) -> MarkupAttribute {
    MarkupAttribute(name, .path(path))
  }

  /// A link out of newsd; nil for a URL whose scheme a page must not link to.
  public static func href(outside url: String?) -> MarkupAttribute? {
    guard let url else { return nil }
    let start = url.prefix(8).lowercased()
    guard ["http://", "https://", "mailto:", "ftp://"].contains(where: { start.hasPrefix(bytesOf: $0) })
    else { return nil }
    return MarkupAttribute("href", .text(ProtocolText.url(url)))
  }

  /// A bookmark that opens this address of newsd with the address of the page that the browser shows. It works only in the
  /// browser's bookmarks: the page's policy forbids to follow it. Nil for an address with signs that could end its text.
  static func bookmark(of url: String) -> MarkupAttribute? {
    let signs = Array(":/.-_~[]".utf8)
    guard url.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || signs.contains($0) }) else { return nil }
    let script = "javascript:location='\(url)?address='+encodeURIComponent(location)"
    return MarkupAttribute("href", .text(script))
  }

  /// The address of a picture or recording outside newsd; nil for a URL that is not on the web.
  public static func source(_ name: StaticString, outside url: String) -> MarkupAttribute? {
    WebAddress.isWeb(url) ? MarkupAttribute(name, .text(ProtocolText.url(url))) : nil
  }

  /// The `rel` of links out of newsd: they send no referrer, and the other page gets no reference to newsd's
  /// window.
  public static var outsideRelation: MarkupAttribute { MarkupAttribute("rel", .text("noopener noreferrer")) }

  /// The `target` of links to the page of an item, so that the list and what plays stay.
  static var newTab: MarkupAttribute { MarkupAttribute("target", .text("_blank")) }
}

/// RFC 4287 section 4.2.7, with RSS enclosures and links mapped to it.
public struct Link: Hashable, Sendable {
  public var href: String
  public var rel: String?
  public var type: String?
  public var title: String?
  public var hreflang: String?
  public var length: String?

  public init(
    href: String,
    rel: String? = nil,
    type: String? = nil,
    title: String? = nil,
    hreflang: String? = nil,
    length: String? = nil
  ) {
    self.href = href
    self.rel = rel
    self.type = type
    self.title = title
    self.hreflang = hreflang
    self.length = length
  }
}

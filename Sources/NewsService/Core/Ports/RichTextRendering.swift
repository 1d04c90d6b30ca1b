/// HTML prepared for a terminal: blocks of text, numbered links and pictures, pictures as their alternative text.
public struct RichText: Hashable, Sendable {
  public enum Block: Hashable, Sendable {
    case paragraph([Span], indent: Int)
    /// Level 1 to 6.
    case heading([Span], level: Int)
    /// `marker` is `•` or `3.`; `indent` counts nested lists and quotations.
    case listItem([Span], marker: String, indent: Int)
    /// Text with its line breaks.
    case preformatted(String, indent: Int)
    case quotation([Span], indent: Int)
    case tableRow([[Span]], isHeader: Bool)
    case rule
  }

  public struct Span: Hashable, Sendable {
    public var text: String
    public var style: Style
    /// Number of the link that ends with this span: its 1-based index in `links`.
    public var footnote: Int?
    /// Number of the picture that this span stands for: the 1-based index of its address in `links`.
    public var picture: Int?
    public init(text: String, style: Style = [], footnote: Int? = nil, picture: Int? = nil) {
      self.text = text
      self.style = style
      self.footnote = footnote
      self.picture = picture
    }
  }

  public struct Style: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let strong = Style(rawValue: 1)
    public static let emphasis = Style(rawValue: 2)
    public static let code = Style(rawValue: 4)
    public static let struck = Style(rawValue: 8)
    public static let link = Style(rawValue: 16)
    public static let image = Style(rawValue: 32)
  }

  public var blocks: [Block]
  /// Targets of the links and addresses of the pictures, in the order of their numbers, without repeats.
  public var links: [String]

  public init(blocks: [Block] = [], links: [String] = []) {
    self.blocks = blocks
    self.links = links
  }
}

/// Turns an item's HTML into blocks of text.
public protocol RichTextRendering: Sendable {
  /// Converts HTML in time linear in its length. The result contains no markup, but possibly control characters; views
  /// remove them.
  func richText(fromHTML html: String) -> RichText
}

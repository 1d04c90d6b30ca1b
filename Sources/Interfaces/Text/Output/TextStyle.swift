public import Modules
public import NewsToolbox

/// The meaning of a piece of text, which decides its colour.
///
/// Only the sixteen colours that every terminal theme defines are used, so that both light and dark backgrounds work.
public enum TextStyle: Hashable, Sendable {
  case plain
  case unread
  case starred
  case feed
  case date
  case match
  case heading
  case faint
  case error
  case link
  case strong
  case emphasis
  case code
  case struck
  case bar

  /// Parameters of SGR (ECMA-48 section 8.3.117); nil: none.
  var sgr: StaticString? {
    switch self {
    case .plain: nil
    case .unread: "1"
    case .starred: "33"
    case .feed: "36"
    case .date: "32"
    case .match: "1;33"
    case .heading: "1"
    case .faint: "2"
    case .error: "31"
    case .link: "4;34"
    case .strong: "1"
    case .emphasis: "3"
    case .code: "36"
    case .struck: "9"
    case .bar: "34"
    }
  }
}

extension ByteBuffer {
  /// Appends text in the colours of its style, if the terminal shows colours.
  public mutating func paint(_ text: DisplayText, _ style: TextStyle = .plain, on terminal: Terminal) {
    paint(safe: text.string, style, on: terminal)
  }

  /// Appends a literal in the colours of its style.
  public mutating func paint(literal text: StaticString, _ style: TextStyle = .plain, on terminal: Terminal) {
    paint(safe: text.description, style, on: terminal)
  }

  /// Appends text without cleaning it: `text` must come from a `DisplayText` or from the program itself.
  public mutating func paint(safe text: String, _ style: TextStyle, on terminal: Terminal) {
    guard terminal.usesColour, let sgr = style.sgr, !text.isEmpty else { return append(text) }
    append(literal: "\u{1B}[")
    append(literal: sgr)
    append(UInt8(ascii: "m"))
    append(text)
    append(literal: "\u{1B}[0m")
  }

  /// Makes the output of `body` a hyperlink (OSC 8) if the terminal supports them and `linkTarget` accepts the URL.
  public mutating func link(_ url: String?, on terminal: Terminal, _ body: (inout ByteBuffer) -> Void) {
    guard terminal.usesHyperlinks, let target = url.flatMap(Self.linkTarget) else { return body(&self) }
    append(literal: "\u{1B}]8;;")
    append(target)
    append(literal: "\u{1B}\\")
    body(&self)
    append(literal: "\u{1B}]8;;\u{1B}\\")
  }

  /// Ends the line.
  public mutating func newLine() { append(UInt8(ascii: "\n")) }

  /// Appends `count` spaces; none if it is negative.
  public mutating func spaces(_ count: Int) { append(repeating: UInt8(ascii: " "), count: count) }

  /// Returns an http(s), ftp or mailto URL with everything but printable ASCII percent-encoded; nil for other
  /// schemes and for URLs over 2 KiB.
  private static func linkTarget(_ url: String) -> String? {
    let lower = url.prefix(8).lowercased()
    guard ["http://", "https://", "ftp://", "mailto:"].contains(where: lower.hasPrefix),
      url.utf8.count <= 2048
    else { return nil }
    return PercentCoding.encode(url) { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
  }
}

import NewsToolbox

/// Extracts an address from `<https://e.example/>`, quotation marks (RFC 3986 appendix C), or an HTML link.
enum LinkText {
  /// Returns the address in the text; nil if there is none.
  static func address(in text: UnsafeBufferPointer<UInt8>) -> String? {
    guard let first = text.first, let last = text.last, text.count > 2, text.count <= 1 << 16 else {
      return nil
    }
    if first == last && first != UInt8(ascii: "<") || first == UInt8(ascii: "<") && last == UInt8(ascii: ">")
    {
      let inner = ByteText.trimmed(UnsafeBufferPointer(rebasing: text[1..<(text.count - 1)]))
      let isWhole = ByteText.hasPrefix(inner, "http://") || ByteText.hasPrefix(inner, "https://")
      if isWhole, ByteText.firstIndex(of: UInt8(ascii: "<"), in: inner) == nil {
        return String(streamSafe: inner)
      }
    }
    guard first == UInt8(ascii: "<") else { return nil }
    var tokenizer = HTMLTokenizer()
    var sink = LinkSink()
    tokenizer.run(text, into: &sink)
    return sink.href
  }
}

/// Sink that finds the first link.
private struct LinkSink: HTMLSink, ~Copyable {
  private(set) var href: String?

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    if href == nil, tag.element == .a { href = tag.text(.href) }
  }
}

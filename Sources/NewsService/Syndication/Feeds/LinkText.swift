/// Addresses that stand in something: `<https://e.example/>`, quotation marks (RFC 3986 appendix C), an HTML link.
enum LinkText {
  /// Nil when there is none to be found.
  static func address(in text: UnsafeBufferPointer<UInt8>) -> String? {
    guard let first = text.first, let last = text.last, text.count > 2, text.count <= 1 << 16 else {
      return nil
    }
    if first == last && first != 0x3C || first == 0x3C && last == 0x3E {
      let inner = ByteText.trimmed(UnsafeBufferPointer(rebasing: text[1..<(text.count - 1)]))
      let isWhole = ByteText.hasPrefix(inner, "http://") || ByteText.hasPrefix(inner, "https://")
      if isWhole, ByteText.firstIndex(of: 0x3C, in: inner) == nil {
        return String(decoding: inner, as: UTF8.self)
      }
    }
    guard first == 0x3C else { return nil }
    var tokenizer = HTMLTokenizer()
    var sink = LinkSink()
    tokenizer.run(text, into: &sink)
    return sink.href
  }
}

/// Looks for the first link.
private struct LinkSink: HTMLSink, ~Copyable {
  private(set) var href: String?

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    if href == nil, tag.element == .a { href = tag.text(.href) }
  }
}

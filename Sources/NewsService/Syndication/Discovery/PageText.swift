import NewsCore
import NewsToolbox

/// The start of a page, converted to UTF-8.
struct PageText {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// Determines the encoding from the user's setting, then the byte order mark, then Content-Type, then `meta` (HTML
  /// standard, section 13.2.3).
  init(_ document: FeedDocument, limit: Int) {
    let source = Array(document.bytes.prefix(limit))
    let hasMark = source.withUnsafeBufferPointer { DocumentText.byteOrderMark($0).label != nil }
    let named =
      document.encoding
      ?? (hasMark || document.contentType.flatMap(DocumentText.charset) != nil ? nil : Self.meta(source))
    let (converted, start) = source.withUnsafeBufferPointer { bytes in
      let text = DocumentText(bytes, contentType: document.contentType, override: named)
      return (text.converted(bytes), text.start)
    }
    bytes = converted ?? source
    range = (converted == nil ? start : 0)..<bytes.count
  }

  func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Passes the tokens of the page to a sink.
  func read(into sink: inout some HTMLSink & ~Copyable) {
    withBytes { bytes in
      var tokenizer = HTMLTokenizer()
      tokenizer.run(bytes, into: &sink)
    }
  }

  /// The address in the first `base` element, which applies to the whole page, including the links before it (HTML
  /// standard, section 4.2.3).
  var base: String? {
    var finder = BaseSink()
    read(into: &finder)
    return finder.href
  }

  /// Returns the encoding that a `meta` element in the first 2,048 bytes declares.
  private static func meta(_ bytes: [UInt8]) -> String? {
    let head = bytes.prefix(2048).map(ASCII.lowercase)
    let word = Array("charset".utf8)
    var position = 0
    var isInMeta = false
    while position + word.count < head.count {
      if head[position] == UInt8(ascii: "<") { isInMeta = head[position...].starts(with: "<meta".utf8) }
      guard isInMeta, head[position] == word[0], head[position...].starts(with: word) else {
        position += 1
        continue
      }
      position += word.count
      while position < head.count, ASCII.isSpace(head[position]) { position += 1 }
      guard position < head.count, head[position] == UInt8(ascii: "=") else { continue }
      position += 1
      while position < head.count,
        ASCII.isSpace(head[position]) || head[position] == UInt8(ascii: "\"")
          || head[position] == UInt8(ascii: "'")
      {
        position += 1
      }
      let name = head[position...].prefix {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
      }
      let label = String(streamSafe: name)
      // The declaration was readable as ASCII, so the page is not UTF-16 (HTML standard, section 13.2.3.2).
      return label.isEmpty || label.hasPrefix("utf-16") ? nil : label
    }
    return nil
  }
}

/// Finds the address in a page's first `base` element.
private struct BaseSink: HTMLSink, ~Copyable {
  private(set) var href: String?

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    if tag.element == .base, href == nil { href = tag.text(.href) }
  }
}

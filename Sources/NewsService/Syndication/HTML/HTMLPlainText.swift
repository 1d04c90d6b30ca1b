import NewsToolbox

/// Converts HTML to plain text for single-line fields such as titles and names.
public struct HTMLPlainText: ~Copyable {
  private var tokenizer = HTMLTokenizer()
  private var sink = LineSink()

  public init() {}

  /// Converts HTML to one line of text: removes tags, decodes references, collapses and trims white space.
  public mutating func line(ofHTML html: UnsafeBufferPointer<UInt8>) -> String {
    sink.text.removeAll()
    sink.skipDepth = 0
    tokenizer.run(html, into: &sink)
    return sink.text.finish()
  }

  /// Converts HTML to one line of text as bytes, which are valid until the next call.
  mutating func bytes(ofHTML html: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    sink.text.clear()
    sink.skipDepth = 0
    tokenizer.run(html, into: &sink)
    sink.text.complete()
    return sink.text.buffer.bytes
  }

  /// Converts an HTML string to one line of text.
  public mutating func line(ofHTML html: String) -> String {
    var html = html
    return html.withUTF8 { line(ofHTML: $0) }
  }

  /// Decodes the references in `text` once.
  public static func decodingReferences(in text: UnsafeBufferPointer<UInt8>) -> String {
    var output = ByteBuffer(capacity: text.count + 8)
    HTMLEntities.shared.decode(text, into: &output)
    return output.string()
  }

  /// Decodes the references in a string once.
  public static func decodingReferences(in text: String) -> String {
    var text = text
    return text.withUTF8 { decodingReferences(in: $0) }
  }

  /// Collapses white space in plain text to single spaces and trims it; nil if the text has no words.
  static func line(_ text: String) -> String? {
    let words = text.utf8.split { $0 <= UInt8(ascii: " ") }
    guard !words.isEmpty else { return nil }
    return words.map { String(streamSafe: $0) }.joined(separator: " ")
  }
}

/// Writes the text of HTML as one line.
private struct LineSink: HTMLSink, ~Copyable {
  var text = HTMLTextWriter(keepsLines: false)
  var skipped = HTMLElement.unknown
  var skipDepth = 0
  /// True if the page hides the skipped element, which may end without an end tag.
  private var isHidden = false
  let vocabulary = HTMLVocabulary.shared

  var isInSVG: Bool { skipDepth > 0 && skipped == .svg }

  private func hides(_ tag: borrowing HTMLTag) -> Bool {
    if tag.has(.hidden) || tag.element == .dialog && !tag.has(.open) { return true }
    guard let raw = tag.value(.style), CSSFilter.mayHide(raw), let style = tag.text(.style) else {
      return false
    }
    return style.withBytes(CSSFilter.hides)
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    if skipDepth == 0 { text.append(start, length) }
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    if skipDepth == 0 { text.append(reference) }
  }

  mutating func startTag(_ tag: borrowing HTMLTag) {
    let traits = vocabulary.traits(tag.element)
    if skipDepth > 0 {
      guard isHidden,
        skipped == .p && traits.contains(.closesParagraph) || skipped == .li && tag.element == .li
      else {
        if tag.element == skipped, !tag.isSelfClosing { skipDepth += 1 }
        return
      }
      skipDepth = 0
    }
    isHidden = hides(tag) && !traits.contains(.void) && tag.element != .html && tag.element != .body
    if isHidden || traits.contains(.skipped), !tag.isSelfClosing {
      skipped = tag.element
      skipDepth = 1
    } else if traits.contains(.block) || tag.element == .br || tag.element == .td || tag.element == .th {
      text.endLine(isSpaced: false)
    } else if tag.element.isRuby {
      text.startRuby(tag.element)
    }
  }

  mutating func endTag(_ element: HTMLElement) {
    if skipDepth > 0 {
      if element == skipped { skipDepth -= 1 }
      return
    }
    if vocabulary.traits(element).contains(.block) { text.endLine(isSpaced: false) }
    if element.isRuby { text.endRuby(element) }
  }
}

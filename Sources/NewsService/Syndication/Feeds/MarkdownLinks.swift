/// Links in the Markdown that a feed offers beside its HTML.
enum MarkdownLinks {
  /// The text with destinations such as `javascript:` replaced by `#`: nothing renders Markdown as safely as it should.
  ///
  /// A scheme counts where a destination may begin: behind `(`, `<`, `"`, `'`, `=` or a colon, with white space between.
  static func disarmed(_ markdown: String) -> String {
    var markdown = markdown
    return markdown.withUTF8 { text in
      guard let base = text.baseAddress, ByteText.firstIndex(of: 0x3A, in: text) != nil else {
        return String(decoding: text, as: UTF8.self)
      }
      var output = ByteBuffer(capacity: text.count)
      var copied = 0
      var search = 0
      while let colon = ByteText.firstIndex(of: 0x3A, in: text, from: search) {
        search = colon + 1
        var start = colon
        // The longest active scheme has eleven letters.
        while start > copied, colon - start < 12, isSchemeByte(text[start - 1]) { start -= 1 }
        guard start < colon, URLScheme(base + start, colon - start) == .active, beginsDestination(text, start)
        else {
          continue
        }
        output.append(base + copied, start - copied)
        output.append(0x23)
        copied = colon + 1
      }
      output.append(base + copied, text.count - copied)
      return output.string()
    }
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2B || byte == 0x2E
  }

  private static func beginsDestination(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var index = start - 1
    while index >= 0, start - index < 64, text[index] <= 0x20 { index -= 1 }
    guard index >= 0 else { return true }
    return [0x28, 0x3C, 0x22, 0x27, 0x3D, 0x3A].contains(text[index])
  }
}

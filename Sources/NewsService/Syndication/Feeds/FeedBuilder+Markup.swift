/// Elements inside a text field: XHTML of Atom, or HTML that somebody forgot to escape, written back as HTML.
extension FeedBuilder {
  mutating func startMarkup(_ name: UnsafePointer<UInt8>, attributes: XMLAttributes) {
    let parent = depth &- 1
    let isChildOfField = frames[parent].element != .markup
    if isChildOfField, !frames[parent].hasMarkup { beginMarkup(in: parent) }
    let text = ByteText.buffer(name)
    frames[depth] = Frame(
      element: .markup,
      scope: scope,
      capture: capture,
      type: .xhtml,
      isLeaf: true,
      vocabulary: .xhtml,
      textStart: buffer.count,
      fieldStart: frames[parent].fieldStart
    )
    depth &+= 1
    capture = .escaped
    if attributes.count > 0 {
      readScopedAttributes(attributes)
      if isChildOfField, frames[depth &- 1].changesLanguage { markupLanguage = scopedLanguage }
    }
    guard buffer.count &- frames[parent].fieldStart &+ text.count < limits.maximumFieldBytes else {
      noteLongField()
      markupNames.append(nil)
      return
    }
    // RFC 4287 section 3.1.1.3: the div around XHTML is not part of it.
    if isChildOfField, frames[parent].type == .xhtml, ByteText.equals(text, "div") {
      markupNames.append(nil)
      return
    }
    markupNames.append(name)
    buffer.append(0x3C)
    buffer.append(text)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index], !Self.isXML(attribute.prefix) else { continue }
      buffer.append(0x20)
      buffer.append(ByteText.buffer(attribute.name))
      buffer.append("=\"")
      if markupBases > 0, Self.isReference(attribute.name), let url = resolve(attribute: attribute.value) {
        append(value: url)
        buffer.append(0x22)
        continue
      }
      // The raw value has its ampersands escaped already.
      for byte in attribute.value {
        switch byte {
        case 0x22: buffer.append("&quot;")
        case 0x3C: buffer.append("&lt;")
        default: buffer.append(byte)
        }
      }
      buffer.append(0x22)
    }
    buffer.append(0x3E)
  }

  mutating func endMarkup() {
    depth &-= 1
    capture = frames[depth].capture
    if frames[depth].changesLanguage { languages.removeLast() }
    if frames[depth].changesBase {
      markupBases -= 1
      bases.removeLast()
      updateBase()
    }
    guard let last = markupNames.popLast(), let name = last else { return }
    let text = ByteText.buffer(name)
    guard !Self.isVoid(text) else { return }
    buffer.append("</")
    buffer.append(text)
    buffer.append(0x3E)
  }

  /// Attributes whose value is an address.
  private static func isReference(_ name: UnsafePointer<UInt8>) -> Bool {
    let text = ByteText.buffer(name)
    return ByteText.equals(text, "href") || ByteText.equals(text, "src") || ByteText.equals(text, "cite")
      || ByteText.equals(text, "poster") || ByteText.equals(text, "longdesc")
  }

  private mutating func append(value: String) {
    for byte in value.utf8 {
      switch byte {
      case 0x22: buffer.append("&quot;")
      case 0x26: buffer.append("&amp;")
      case 0x3C: buffer.append("&lt;")
      default: buffer.append(byte)
      }
    }
  }

  /// True for the prefix `xml`.
  static func isXML(_ prefix: UnsafePointer<UInt8>?) -> Bool {
    guard let prefix else { return false }
    return prefix[0] == 0x78 && prefix[1] == 0x6D && prefix[2] == 0x6C && prefix[3] == 0
  }

  /// The first element in a field: the text before it has to be told apart from markup.
  private mutating func beginMarkup(in field: Int) {
    frames[field].hasMarkup = true
    let start = frames[field].textStart
    let text = UnsafeBufferPointer(rebasing: buffer.bytes[start...])
    // Escaped and bare markup in one field: what looks escaped was meant as markup too.
    if frames[field].type == .html, ByteText.firstIndex(of: 0x3C, in: text) != nil {
      return
    }
    scratch.removeAll()
    if let base = text.baseAddress { Self.escape(base, text.count, into: &scratch) }
    buffer.truncate(to: start)
    buffer.append(scratch.bytes)
    capture = .escaped
  }

  static func escape(_ text: UnsafePointer<UInt8>, _ length: Int, into output: inout ByteBuffer) {
    for index in 0..<length {
      switch text[index] {
      case 0x26: output.append("&amp;")
      case 0x3C: output.append("&lt;")
      case 0x3E: output.append("&gt;")
      case let byte: output.append(byte)
      }
    }
  }

  /// HTML elements that have no end tag; a browser would take `</br>` for a second one.
  static func isVoid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    let vocabulary = HTMLVocabulary.shared
    guard let element = HTMLElement(rawValue: vocabulary.elements.value(start, name.count)) else {
      return false
    }
    return vocabulary.traits(element).contains(.void)
  }
}

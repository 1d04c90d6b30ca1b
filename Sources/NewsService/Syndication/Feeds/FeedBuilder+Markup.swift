import NewsToolbox

/// Writes elements inside a text field as HTML: XHTML of Atom, or HTML that was not escaped.
extension FeedBuilder {
  mutating func startMarkup(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?,
    attributes: XMLAttributes
  ) {
    let parent = place.depth &- 1
    let isChildOfField = frames[parent].rule.pointee.kind != .markup
    if isChildOfField, !frames[parent].hasMarkup { beginMarkup(in: parent) }
    let text = ByteText.buffer(name)
    frames[place.depth] = Frame(
      rule: ElementTable.shared.markup,
      scope: place.scope,
      capture: place.capture,
      type: .xhtml,
      isLeaf: true,
      vocabulary: .xhtml,
      textStart: buffer.count,
      fieldStart: frames[parent].fieldStart
    )
    place.depth &+= 1
    place.capture = .escaped
    if attributes.count > 0 {
      readScopedAttributes(attributes)
      if isChildOfField, frames[place.depth &- 1].changesLanguage { markup.language = scopedLanguage }
    }
    guard buffer.count &- frames[parent].fieldStart &+ text.count < limits.maximumFieldBytes else {
      noteLongField()
      markup.names.append(nil)
      return
    }
    // Keep only the text of foreign elements: `<o:p>` of a word processor is not a paragraph.
    if let space = uri ?? prefix, isForeign(space, prefix: prefix, uri: uri) {
      markup.names.append(nil)
      return
    }
    // Omit the div around XHTML, which is not part of the content (RFC 4287 section 3.1.1.3).
    if isChildOfField, frames[parent].type == .xhtml, ByteText.equals(text, "div") {
      markup.names.append(nil)
      return
    }
    markup.names.append(name)
    buffer.append(UInt8(ascii: "<"))
    buffer.append(text)
    for index in 0..<attributes.count {
      guard let attribute = attributes[index], !Self.isXML(attribute.prefix) else { continue }
      buffer.append(UInt8(ascii: " "))
      buffer.append(ByteText.buffer(attribute.name))
      buffer.append("=\"")
      if markup.bases > 0, Self.isReference(attribute.name), let url = resolve(attribute: attribute.value) {
        append(value: url)
        buffer.append(UInt8(ascii: "\""))
        continue
      }
      // Ampersands of the raw value are escaped already.
      for byte in attribute.value {
        switch byte {
        case UInt8(ascii: "\""): buffer.append("&quot;")
        case UInt8(ascii: "<"): buffer.append("&lt;")
        default: buffer.append(byte)
        }
      }
      buffer.append(UInt8(ascii: "\""))
    }
    buffer.append(UInt8(ascii: ">"))
  }

  mutating func endMarkup() {
    place.depth &-= 1
    place.capture = frames[place.depth].capture
    if frames[place.depth].changesLanguage { inherited.languages.removeLast() }
    if frames[place.depth].changesBase {
      markup.bases -= 1
      inherited.bases.removeLast()
      updateBase()
    }
    guard let last = markup.names.popLast(), let name = last else { return }
    let text = ByteText.buffer(name)
    guard !Self.isVoid(text) else { return }
    buffer.append("</")
    buffer.append(text)
    buffer.append(UInt8(ascii: ">"))
  }

  /// True for a namespace other than XHTML, SVG, MathML, and the feed's, which elements of unescaped HTML have.
  private mutating func isForeign(
    _ space: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?
  ) -> Bool {
    if markup.space.address == space { return markup.space.isForeign }
    let vocabulary =
      uri.map { NamespaceTable.vocabulary(uri: ByteText.buffer($0)) }
      ?? NamespaceTable.vocabulary(prefix: String(cString: space).streamSafe)
    let isForeign: Bool
    switch vocabulary {
    case .xhtml?, .core?, .atom?: isForeign = false
    case nil:
      isForeign = (prefix != nil || uri != root.space) && !NamespaceTable.isEmbedded(ByteText.buffer(space))
    default: isForeign = true
    }
    markup.space = (space, isForeign)
    return isForeign
  }

  /// True for attributes that contain a URL.
  private static func isReference(_ name: UnsafePointer<UInt8>) -> Bool {
    let text = ByteText.buffer(name)
    return ByteText.equals(text, "href") || ByteText.equals(text, "src") || ByteText.equals(text, "cite")
      || ByteText.equals(text, "poster") || ByteText.equals(text, "longdesc")
  }

  private mutating func append(value: String) {
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.append("&quot;")
      case UInt8(ascii: "&"): buffer.append("&amp;")
      case UInt8(ascii: "<"): buffer.append("&lt;")
      default: buffer.append(byte)
      }
    }
  }

  /// True for the prefix `xml`.
  static func isXML(_ prefix: UnsafePointer<UInt8>?) -> Bool {
    guard let prefix else { return false }
    return prefix[0] == UInt8(ascii: "x") && prefix[1] == UInt8(ascii: "m") && prefix[2] == UInt8(ascii: "l")
      && prefix[3] == 0
  }

  /// Escapes the text before the first element of a field.
  private mutating func beginMarkup(in field: Int) {
    frames[field].hasMarkup = true
    let start = frames[field].textStart
    let text = UnsafeBufferPointer(rebasing: buffer.bytes[start...])
    // The text contains escaped markup before the first bare element: keep the markup.
    if frames[field].type == .html, ByteText.firstIndex(of: UInt8(ascii: "<"), in: text) != nil {
      return
    }
    scratch.removeAll()
    if let base = text.baseAddress { Self.escape(base, text.count, into: &scratch) }
    buffer.truncate(to: start)
    buffer.append(scratch.bytes)
    place.capture = .escaped
  }

  static func escape(_ text: UnsafePointer<UInt8>, _ length: Int, into output: inout ByteBuffer) {
    for index in 0..<length {
      switch text[index] {
      case UInt8(ascii: "&"): output.append("&amp;")
      case UInt8(ascii: "<"): output.append("&lt;")
      case UInt8(ascii: ">"): output.append("&gt;")
      case let byte: output.append(byte)
      }
    }
  }

  /// True for HTML elements without an end tag; browsers read `</br>` as a second `<br>`.
  static func isVoid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress else { return false }
    let vocabulary = HTMLVocabulary.shared
    guard let element = HTMLElement(rawValue: vocabulary.elements.value(start, name.count)) else {
      return false
    }
    return vocabulary.traits(element).contains(.void)
  }
}

import NewsToolbox

/// Rules for the HTML and XHTML of a feed: active content, which readers remove, and relative URLs.
enum ContentRules {
  /// The kinds of findings; each is reported once per text.
  enum Kind: Hashable {
    case element, handler, scheme, instruction, relativeURL
  }

  /// True for `meta`, `base`, and an element that runs code, embeds a page, loads styles, or belongs to a
  /// form.
  static func isActive(_ element: HTMLElement, rel: String?) -> Bool {
    switch element {
    case .script, .iframe, .object, .embed, .applet, .frame, .frameset, .form, .style, .meta, .base, .input,
      .button,
      .select, .textarea, .keygen:
      true
    case .link:
      rel.map {
        $0.lowercased().utf8.split { $0 <= UInt8(ascii: " ") }.contains {
          $0.elementsEqual("stylesheet".utf8)
        }
      }
        == true
    default: false
    }
  }

  /// Returns the element of a name, ignoring case.
  static func element(named name: String) -> HTMLElement {
    guard name.utf8.count <= 24 else { return .unknown }
    let value = HTMLVocabulary.shared.elements.value(PackedName(name.lowercased()))
    return HTMLElement(rawValue: value) ?? .unknown
  }

  /// Returns the beginning of a URL that runs code: `javascript:`, `data:text/html`. Returns nil for any other URL.
  static func activeScheme(of url: String) -> String? {
    // Browsers ignore control characters and blanks before a URL, and tabs and line breaks inside it (URL standard,
    // section 4.4).
    let bytes = url.utf8.drop { $0 <= UInt8(ascii: " ") }.lazy
      .filter { $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      .map { ASCII.lowercase($0) }
    return ["javascript:", "vbscript:", "data:text/html", "data:application/xhtml+xml"]
      .first { bytes.starts(with: $0.utf8) }
  }

  /// True for a URL that has neither a host nor a colon, which may end a scheme, and is not an anchor in the
  /// same text.
  static func isRelative(_ url: String) -> Bool {
    let bytes = url.utf8.drop { $0 <= UInt8(ascii: " ") }
    guard let first = bytes.first, first != UInt8(ascii: "#") else { return false }
    return !bytes.starts(with: "//".utf8) && !bytes.contains(UInt8(ascii: ":"))
  }

  /// Returns the first relative URL of a `srcset` (HTML standard, section 4.8.4.2.2).
  static func firstRelativeURL(ofSourceSet list: String) -> String? {
    var rest = Substring(list).utf8
    while !rest.isEmpty {
      rest = rest.drop { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
      var url = rest.prefix { $0 > UInt8(ascii: " ") }
      rest = rest[url.endIndex...]
      if url.last == UInt8(ascii: ",") {
        while url.last == UInt8(ascii: ",") { url.removeLast() }
      } else {
        rest = rest.drop { $0 != UInt8(ascii: ",") }
      }
      let text = String(streamSafe: url)
      if isRelative(text) { return text }
    }
    return nil
  }
}

/// Finds active content, which readers remove, and relative URLs in the HTML of an item.
struct ContentCheck: HTMLSink, ~Copyable {
  /// The first active element, such as `<script>` or `<iframe>`.
  private(set) var active: HTMLElement?
  /// The beginning of the first URL that runs code: `javascript:`, `data:text/html`.
  private(set) var scheme: String?
  private(set) var relative: String?
  private(set) var hasEventHandler = false

  /// Returns messages about the HTML. `allowsRelative` is true if the document declares a base URL.
  static func findings(
    _ html: UnsafeBufferPointer<UInt8>,
    in element: String,
    allowsRelative: Bool = false
  ) -> [String] {
    var tokenizer = HTMLTokenizer()
    var sink = ContentCheck()
    tokenizer.run(html, into: &sink)
    var messages: [String] = []
    if let active = sink.active {
      messages.append("<\(element)> contains <\(active)>, which readers remove")
    }
    if sink.hasEventHandler {
      messages.append("<\(element)> contains an event handler, which readers remove")
    }
    if let scheme = sink.scheme {
      messages.append("<\(element)> contains a \(scheme) URL, which readers remove")
    }
    if containsImport(html) { messages.append("<\(element)> contains <?import>, which readers remove") }
    if !allowsRelative, let relative = sink.relative {
      messages.append("the HTML of <\(element)> contains a relative URL: \(relative.prefix(60))")
    }
    return messages
  }

  private static func containsImport(_ html: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var position = html.baseAddress else { return false }
    let end = position + html.count
    while let angle = ByteScan.find(UInt8(ascii: "<"), position, end) {
      position = angle + 1
      if ByteText.hasPrefix(UnsafeBufferPointer(start: position, count: end - position), "?import") {
        return true
      }
    }
    return false
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    if tag.hasEventHandler { hasEventHandler = true }
    if active == nil, ContentRules.isActive(tag.element, rel: tag.text(.rel)) { active = tag.element }
    for name in [HTMLAttribute.href, .src, .poster] {
      guard let url = tag.text(name) else { continue }
      if scheme == nil { scheme = ContentRules.activeScheme(of: url) }
      if relative == nil, ContentRules.isRelative(url) { relative = url }
    }
    if relative == nil, let list = tag.text(.srcset) {
      relative = ContentRules.firstRelativeURL(ofSourceSet: list)
    }
  }
}

/// Finds active content, which readers remove, and relative URLs in the HTML of an item.
struct ContentCheck: HTMLSink, ~Copyable {
  /// The first element that would run or embed foreign code, such as `<script>` or `<iframe>`.
  private(set) var active: HTMLElement?
  private(set) var relative: String?
  private(set) var hasEventHandler = false

  /// Returns messages about the HTML; `allowsRelative` is true when the document declares a base URL.
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
      messages.append("<\(element)> contains <\(active)>, which readers remove.")
    }
    if sink.hasEventHandler {
      messages.append("<\(element)> contains an event handler, which readers remove.")
    }
    if containsImport(html) { messages.append("<\(element)> contains <?import>, which readers remove.") }
    if !allowsRelative, let relative = sink.relative {
      messages.append("The HTML of <\(element)> contains a relative URL: \(relative.prefix(60)).")
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
    if active == nil, Self.isActive(tag.element) { active = tag.element }
    if active == nil, let href = tag.text(.href), href.lowercased().hasPrefix("javascript:") {
      active = .script
    }
    guard relative == nil, let value = tag.text(.href) ?? tag.text(.src), !value.isEmpty else { return }
    if value.hasPrefix("#") || value.hasPrefix("//") || value.utf8.contains(0x3A) { return }
    relative = value
  }

  static func isActive(_ element: HTMLElement) -> Bool {
    switch element {
    case .script, .iframe, .object, .embed, .applet, .frame, .frameset, .form, .style, .meta, .base: true
    default: false
    }
  }
}

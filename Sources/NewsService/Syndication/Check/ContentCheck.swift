/// Looks through the HTML of an item for what readers leave out or cannot follow.
struct ContentCheck: HTMLSink, ~Copyable {
  /// The first element of each kind that programs of others would run in.
  private(set) var active: HTMLElement?
  private(set) var relative: String?

  /// `allowsRelative`: relative addresses have a base that the document gives.
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
      messages.append("<\(element)> holds <\(active)>, which readers leave out.")
    }
    if !allowsRelative, let relative = sink.relative {
      messages.append("The HTML of <\(element)> has an address that is not whole: \(relative.prefix(60)).")
    }
    return messages
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {}
  mutating func character(_ reference: HTMLEntities.Reference) {}
  mutating func endTag(_ element: HTMLElement) {}

  mutating func startTag(_ tag: borrowing HTMLTag) {
    switch tag.element {
    case .script, .iframe, .object, .embed, .applet, .frame, .frameset, .form, .style, .meta, .base:
      if active == nil { active = tag.element }
    default: break
    }
    if active == nil, let href = tag.text(.href), href.lowercased().hasPrefix("javascript:") {
      active = .script
    }
    guard relative == nil, let value = tag.text(.href) ?? tag.text(.src), !value.isEmpty else { return }
    if value.hasPrefix("#") || value.hasPrefix("//") || value.utf8.contains(0x3A) { return }
    relative = value
  }
}

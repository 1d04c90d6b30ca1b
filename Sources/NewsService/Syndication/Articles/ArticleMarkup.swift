import NewsToolbox

/// Copies the chosen parts of a page, so that they can be sanitized.
struct ArticleMarkup: ~Copyable {
  private let elements: UnsafeMutablePointer<PageTable.Element>
  private let out: UnsafeMutablePointer<Bool>
  private let page: UnsafePointer<UInt8>
  private(set) var html: ByteBuffer
  /// The last copied image: its start in the copy and its end in the page.
  private var lastImage: (start: Int, stop: Int32)?

  init(
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    out: UnsafeMutablePointer<Bool>,
    page: UnsafePointer<UInt8>
  ) {
    self.elements = elements
    self.out = out
    self.page = page
    html = ByteBuffer(capacity: 1 << 14)
  }

  /// Appends an element without its excluded descendants to the copy.
  mutating func append(_ top: Int) {
    let element = elements[top]
    let isBare = Self.hasNoMeaningAlone(element.name)
    var position = isBare ? element.contentStart : element.start
    let stop = isBare ? element.contentEnd : element.stop
    let end = Int(element.end)
    var index = isBare ? top + 1 : top
    while index < end {
      let inner = elements[index]
      if out[index] {
        copy(from: position, to: inner.start)
        position = max(position, inner.stop)
        replace(index)
        index = max(Int(inner.end), index + 1)
        continue
      }
      switch inner.name {
      case .img:
        copy(from: position, to: inner.start)
        position = max(position, inner.start)
        lastImage = (html.count, inner.stop)
      case .unknown where isAMPImage(inner):
        copy(from: position, to: inner.start)
        lastImage = (html.count, inner.stop)
        html.append("<img")
        position = max(position, inner.start + 8)
      default: break
      }
      index += 1
    }
    copy(from: position, to: stop)
    html.append(UInt8(ascii: "\n"))
  }

  /// True for parts of a table or list, and for `html` and `body`. Only their content is copied.
  private static func hasNoMeaningAlone(_ name: HTMLElement) -> Bool {
    switch name {
    case .html, .body, .td, .th, .tr, .tbody, .thead, .tfoot, .li, .dd, .dt: true
    default: false
    }
  }

  private mutating func copy(from start: Int32, to end: Int32) {
    guard end > start else { return }
    html.append(page + Int(start), Int(end - start))
  }

  private func isAMPImage(_ element: PageTable.Element) -> Bool {
    element.contentStart - element.start > 9
      && ByteText.equals(UnsafeBufferPointer(start: page + Int(element.start), count: 8), "<amp-img")
  }

  // MARK: Replacements

  private mutating func replace(_ index: Int) {
    switch elements[index].name {
    case .noscript: appendImage(of: index)
    case .iframe: appendFrame(index)
    default: break
    }
  }

  /// Copies the image of a `noscript` that contains nothing else, because it has the address that a script would set.
  /// It replaces an image directly before the `noscript`.
  private mutating func appendImage(of noscript: Int) {
    let element = elements[noscript]
    var image: Int?
    var index = noscript + 1
    while index < Int(element.end) {
      if elements[index].own.letters > 1 { return }
      if elements[index].name == .img {
        guard image == nil else { return }
        image = index
      }
      index += 1
    }
    guard let image, element.own.letters <= 1 else { return }
    if let last = lastImage, isOnlyTags(from: last.stop, to: element.start) { html.truncate(to: last.start) }
    lastImage = (html.count, element.stop)
    copy(from: elements[image].start, to: elements[image].stop)
  }

  /// True if only tags are between two offsets that are close to each other.
  private func isOnlyTags(from start: Int32, to end: Int32) -> Bool {
    guard end >= start, end - start < 300 else { return false }
    var isInTag = false
    for offset in Int(start)..<Int(end) {
      let byte = page[offset]
      if byte == UInt8(ascii: "<") {
        isInTag = true
      } else if byte == UInt8(ascii: ">") {
        isInTag = false
      } else if !isInTag, !ASCII.isSpace(byte) {
        return false
      }
    }
    return true
  }

  /// Copies a frame, which the sanitizer replaces with a link.
  private mutating func appendFrame(_ index: Int) {
    copy(from: elements[index].start, to: elements[index].contentStart)
    html.append("</iframe>")
  }
}

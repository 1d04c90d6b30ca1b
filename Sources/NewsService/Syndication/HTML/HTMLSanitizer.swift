public import NewsCore
import NewsToolbox

/// Sanitizes the HTML of a feed and derives plain text from it, in one pass.
///
/// The output is balanced and contains only allow-listed elements, attributes, URL schemes and style
/// properties; relative links are resolved, 1×1 images removed. It is serialized from tokens with every `<`
/// and `&` in text, and every `<`, `>`, `&` and `"` in values, escaped. It contains no element that switches
/// a browser's parsing mode (raw text, SVG, templates), so that a browser parses exactly what was
/// checked here. The exception is MathML: its elements contain only each other and text, so that a browser stays in
/// its mode for MathML until the end tag of `math`.
///
/// Reuse one instance per document: it keeps its buffers.
public struct HTMLSanitizer: ~Copyable {
  private var tokenizer = HTMLTokenizer()
  private var sink = SanitizingSink()
  private var baseText: String?
  private var base: BaseURL?

  public init() {}

  /// True when the output was truncated because the item's HTML grew too much.
  var isTruncated: Bool { sink.isTruncated }

  /// True to leave same-document links (`#note`) relative; `FragmentLinks` resolves them later. Ignored for
  /// long texts (`LongText.size`), which are read only once.
  var keepsFragments = false
  /// True if the last text contained same-document links.
  var hasFragments: Bool { sink.hasFragments }

  /// Resets the growth limit for a new item. The limit counts the bytes that resolved links add to the HTML;
  /// in long texts (`LongText.size`), it also counts those of escaped characters and added end tags.
  mutating func beginItem() {
    sink.growthOfItem = SanitizingSink.maximumGrowth
  }

  /// Converts UTF-8 to sanitized HTML and to plain text (one line per block, white space collapsed). Relative links
  /// stay relative without a base. Same-document links (`#note`) stay relative if their target is in the text.
  public mutating func sanitize(
    _ html: UnsafeBufferPointer<UInt8>,
    base: String?
  ) -> (html: String, text: String) {
    if base != baseText {
      baseText = base
      self.base = base.flatMap { BaseURL($0) }
    }
    return sanitize(html, against: self.base)
  }

  /// Sanitizes against a parsed base.
  public mutating func sanitize(
    _ html: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?
  ) -> (html: String, text: String) {
    beginItem()
    keepsFragments = true
    let result = sanitize(html, against: base, makesText: true, releasesInput: false)
    guard hasFragments, let base else { return (result.html, result.text ?? "") }
    var growth = SanitizingSink.maximumGrowth
    return (FragmentLinks.resolved(result.html, page: base, growth: &growth), result.text ?? "")
  }

  /// Sanitizes HTML, and derives plain text only if `makesText` is set. `releasesInput` frees the pages of a
  /// long `html` while they are read: the caller must own them exclusively, and must not read them
  /// afterwards.
  mutating func sanitize(
    _ html: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?,
    makesText: Bool,
    releasesInput: Bool
  ) -> (html: String, text: String?) {
    sink.begin(inputLength: html.count, base: base, makesText: makesText)
    sink.keepsFragments = keepsFragments && html.count < LongText.size
    if releasesInput, html.count >= LongText.size {
      tokenizer.run(spent: html, into: &sink)
    } else {
      tokenizer.run(html, into: &sink)
    }
    return sink.finish()
  }

  /// Sanitizes a string.
  public mutating func sanitize(_ html: String, base: String?) -> (html: String, text: String) {
    var html = html
    return html.withUTF8 { sanitize($0, base: base) }
  }
}

/// Writes sanitized HTML and plain text from tokens.
struct SanitizingSink: HTMLSink, ~Copyable {
  var html = ByteBuffer(capacity: 4096)
  private var text = HTMLTextWriter()
  private var makesText = true
  private var open = OpenElements()
  /// For each element, the number of start tags that were dropped because they were nested too deeply. As many end
  /// tags are dropped.
  private let tooDeep = UnsafeMutablePointer<Int>.allocate(capacity: HTMLElement.count)
  /// The element being skipped with its content, and the number of open elements of its name; 0 means none.
  private var skipped = HTMLElement.unknown
  private var skipDepth = 0
  /// True if the current element may contain only rows or cells.
  private var isInTableStructure = false
  /// Depth of the outermost hidden element and its start in `html`. Its output is removed when it ends.
  private var hidden: (depth: Int, start: Int)?

  // State for attributes.
  var base: BaseURL?
  var decoded = ByteBuffer()
  var resolved = ByteBuffer()
  var scratch = ByteBuffer()
  /// Number of bytes that resolved links may still add. Without a limit, a long base would multiply the size of a
  /// document with many short links.
  var growth = 0
  var growthOfItem = maximumGrowth
  private var allowance = 0
  static let maximumGrowth = 5 << 19
  private(set) var isTruncated = false
  /// Whether the current image has an address, and whether it has alternative text.
  var hasSource = false
  var hasAlternative = false
  var keepsFragments = false
  var hasFragments = false
  /// The address of the last frame that became a link.
  var lastFrame: String?
  let vocabulary = HTMLVocabulary.shared
  let entities = HTMLEntities.shared

  init() {
    tooDeep.initialize(repeating: 0, count: HTMLElement.count)
  }

  deinit {
    tooDeep.deallocate()
  }

  mutating func begin(inputLength: Int, base: BaseURL?, makesText: Bool) {
    self.base = base
    self.makesText = makesText
    html.removeAll()
    html.reserve(inputLength + inputLength / 4 + 64)
    text.removeAll()
    tooDeep.update(repeating: 0, count: HTMLElement.count)
    skipDepth = 0
    isInTableStructure = false
    hidden = nil
    allowance = min(inputLength * 8 + (1 << 16), growthOfItem)
    growth = allowance
    isTruncated = false
    hasFragments = false
    lastFrame = nil
  }

  mutating func isFull(after length: Int) -> Bool {
    isTruncated = html.count > length + growthOfItem
    return isTruncated
  }

  mutating func finish() -> (html: String, text: String?) {
    growthOfItem -= allowance - max(growth, 0)
    close(downTo: 0)
    let result = html.takeString()
    html.shrink(toAtMost: 1 << 18)
    return (result, makesText ? text.finish() : nil)
  }

  /// False inside a hidden element, and if no plain text was requested.
  private var writesText: Bool { makesText && hidden == nil }

  // MARK: Text

  @inline(__always)
  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard skipDepth == 0 else { return }
    if isInTableStructure, !enterCell(for: start, length) { return }
    html.append(start, length)
    if writesText { text.append(start, length) }
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    guard skipDepth == 0 else { return }
    if isInTableStructure { openCell() }
    if reference.byteCount == 1 {
      guard writeASCII(UInt8(truncatingIfNeeded: reference.bytes)) else { return }
    } else {
      // Escape the first character of a reference if it is ASCII: `&nvlt;` is
      // `<` with a combining mark.
      var rest = reference
      while rest.byteCount > 0, rest.bytes & 0x80 == 0 {
        _ = writeASCII(UInt8(truncatingIfNeeded: rest.bytes))
        rest.bytes &>>= 8
        rest.byteCount &-= 1
      }
      html.append(rest)
    }
    if writesText { text.append(reference) }
  }

  /// Appends an ASCII character to the HTML, escaped if necessary. Returns false for control characters.
  @inline(__always)
  private mutating func writeASCII(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"): html.append("&amp;")
    case UInt8(ascii: "<"): html.append("&lt;")
    case UInt8(ascii: ">"): html.append("&gt;")
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " ")...UInt8(ascii: "~"):
      html.append(byte)
    default: return false
    }
    return true
  }

  /// Prepares for text inside a table: writes white space between rows as it is, and opens a cell for other text.
  /// Returns false if the text has been written.
  private mutating func enterCell(for start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    var index = 0
    while index < length, ASCII.isSpace(start[index]) { index += 1 }
    if index == length {
      html.append(start, length)
      return false
    }
    openCell()
    return true
  }

  /// Opens a row and a cell that are missing in the document.
  private mutating func openCell() {
    if open.current == .colgroup { pop() }
    if open.current != .tr { push(.tr) }
    push(.td)
  }

  // MARK: Tags

  mutating func startTag(_ tag: borrowing HTMLTag) {
    var element = tag.element
    var traits = vocabulary.traits(element)
    if skipDepth > 0 {
      guard startTagEndsSkipped(element, traits) else {
        if element == skipped, !tag.isSelfClosing { skipDepth &+= 1 }
        return
      }
      skipDepth = 0
      if element == .select { return }
    }
    if traits.contains(.block), hidden == nil { text.endLine(isSpaced: traits.contains(.spaced)) }
    if traits.contains(.skipped) {
      if !tag.isSelfClosing {
        skipped = element
        skipDepth = 1
      }
      return
    }
    switch element {
    case .image: element = .img
    case .listing, .xmp, .plaintext: element = .pre
    case .ruby, .rb, .rp, .rt, .rtc: if hidden == nil { text.startRuby(element) }
    default: break
    }
    if vocabulary.traits(open.current).contains(.math) {
      guard staysInMath(element, traits) else { return }
    } else if traits.contains(.math), element != .math {
      return
    }
    let isHidden = hides(tag)
    guard vocabulary.traits(element).contains(.allowed) else {
      if element == .iframe, !isHidden { writeFrame(tag) }
      if isHidden, !tag.isSelfClosing, !traits.contains(.void), element != .html, element != .body {
        skipped = element
        skipDepth = 1
      }
      return
    }
    if element != tag.element { traits = vocabulary.traits(element) }
    guard closeElements(before: element, traits) else { return }
    if traits.contains(.void) {
      if !isHidden { void(element, tag) }
      return
    }
    guard !open.isFull else {
      guard !tag.isSelfClosing else { return }
      if isHidden {
        skipped = element
        skipDepth = 1
      } else {
        tooDeep[Int(element.rawValue)] &+= 1
      }
      return
    }
    if isHidden {
      if tag.isSelfClosing { return }
      if hidden == nil { hidden = (open.depth, html.count) }
    }
    writeStart(element, tag)
    if tag.isSelfClosing {
      writeEnd(element)
    } else {
      opened(element, traits)
    }
  }

  /// Decides about a start tag in a formula, as a browser does with foreign content (HTML standard, section 13.2.6.5):
  /// HTML that cannot be in a formula ends it. Returns false if the tag is dropped.
  private mutating func staysInMath(_ element: HTMLElement, _ traits: HTMLTraits) -> Bool {
    let isInToken = vocabulary.traits(open.current).contains(.mathToken)
    if traits.contains(.math) { return element != .math && !isInToken }
    let leaves: HTMLTraits =
      isInToken ? [.block, .void, .tablePart] : [.block, .void, .tablePart, .leavesForeign]
    guard !traits.isDisjoint(with: leaves) else { return false }
    close(downTo: open.index(of: .math))
    return true
  }

  /// Replaces a frame with a link to what it shows.
  private mutating func writeFrame(_ tag: borrowing HTMLTag) {
    guard hidden == nil, !open.isFull, let label = labelOfFrame(tag) else { return }
    if isInTableStructure { openCell() }
    if let link = open.index(endedBy: .a) { close(downTo: link) }
    guard !open.isFull else { return }
    html.append("<a class=\"newsd-frame\" href=\"")
    Self.escape(resolved.bytes, into: &html)
    html.append("\">")
    for byte in label.utf8 {
      if byte < 0x80 { _ = writeASCII(byte) } else { html.append(byte) }
    }
    html.append("</a> ")
  }

  private mutating func void(_ element: HTMLElement, _ tag: borrowing HTMLTag) {
    switch element {
    case .br:
      if hidden == nil { text.lineBreak() }
    case .img:
      writeImage(tag)
      return
    case .source:
      let parent = open.current
      guard parent == .picture || parent == .audio || parent == .video else { return }
    default:
      break
    }
    writeStart(element, tag)
  }

  /// Closes elements that cannot contain `element`, and opens the parents that it requires. Returns false if
  /// `element` is not allowed here.
  @inline(__always)
  private mutating func closeElements(before element: HTMLElement, _ traits: HTMLTraits) -> Bool {
    if traits.contains(.tablePart) { return makeRoomInTable(for: element) }
    if isInTableStructure { openCell() }
    if traits.contains(.closesParagraph) {
      let paragraph = open.index(of: .p)
      if paragraph > open.barrier { close(downTo: paragraph) }
    }
    switch element {
    case .li, .dd, .dt, .a:
      if let ended = open.index(endedBy: element) { close(downTo: ended) }
    case .rb, .rp, .rt, .rtc:
      let current = open.current
      if current == .rb || current == .rp || current == .rt { pop() }
    default:
      if traits.contains(.heading), vocabulary.traits(open.current).contains(.heading) { pop() }
    }
    return true
  }

  private mutating func makeRoomInTable(for element: HTMLElement) -> Bool {
    let table = open.index(of: .table)
    guard table >= 0 else {
      if hidden == nil { text.space() }
      return false
    }
    let section = max(open.index(of: .tbody), open.index(of: .thead), open.index(of: .tfoot), table)
    switch element {
    case .td, .th:
      let row = open.index(of: .tr)
      if row > table {
        close(downTo: row + 1)
      } else {
        close(downTo: section + 1)
        push(.tr)
      }
      if hidden == nil { text.space() }
    case .tr:
      close(downTo: section + 1)
    case .col:
      if open.current != .colgroup {
        close(downTo: table + 1)
        push(.colgroup)
      }
    default:
      close(downTo: table + 1)
    }
    return true
  }

  mutating func endTag(_ name: HTMLElement) {
    if skipDepth > 0 {
      guard endTagEndsSkipped(name) else {
        if name == skipped { skipDepth &-= 1 }
        return
      }
      skipDepth = 0
    }
    var element = name
    var traits = vocabulary.traits(element)
    if traits.contains(.block), hidden == nil { text.endLine(isSpaced: traits.contains(.spaced)) }
    switch element {
    case .br:
      // A browser reads `</br>` as `<br>`, which ends a formula.
      if vocabulary.traits(open.current).contains(.math) { close(downTo: open.index(of: .math)) }
      if isInTableStructure { openCell() }
      html.append("<br>")
      if hidden == nil { text.lineBreak() }
      return
    case .listing, .xmp:
      element = .pre
      traits = vocabulary.traits(element)
    case .ruby, .rb, .rp, .rt, .rtc:
      if hidden == nil { text.endRuby(element) }
    default:
      break
    }
    guard traits.contains(.allowed), !traits.contains(.void) else { return }
    if tooDeep[Int(element.rawValue)] > 0 {
      tooDeep[Int(element.rawValue)] &-= 1
      return
    }
    var index = open.index(of: element)
    if traits.contains(.heading) {
      index = max(
        max(open.index(of: .h1), open.index(of: .h2), open.index(of: .h3)),
        max(open.index(of: .h4), open.index(of: .h5), open.index(of: .h6))
      )
    }
    guard index >= 0 else { return }
    let limit: Int
    if traits.contains(.tablePart) {
      limit = open.index(of: .table)
    } else if element == .table {
      limit = -1
    } else if element == .li {
      limit = max(open.index(of: .ul), open.index(of: .ol), open.barrier)
    } else {
      limit = open.barrier
    }
    guard index > limit else { return }
    if open.block > index, !traits.contains(.block), !traits.contains(.tablePart) {
      open.endWithChild(index)
    } else {
      let wasHidden = hidden != nil
      close(downTo: index)
      if wasHidden, hidden == nil, traits.contains(.block) {
        text.endLine(isSpaced: traits.contains(.spaced))
      }
    }
  }

  /// True when a start tag ends the skipped element (HTML standard, sections 13.2.6.4.16 and 13.2.6.5).
  private mutating func startTagEndsSkipped(_ element: HTMLElement, _ traits: HTMLTraits) -> Bool {
    switch skipped {
    case .svg: traits.contains(.leavesForeign)
    case .select:
      element == .select || element == .input || element == .keygen || element == .textarea
        || traits.contains(.tablePart) && open.index(of: .table) >= 0
    default: false
    }
  }

  /// True when the end tag of an enclosing element ends the skipped element.
  private mutating func endTagEndsSkipped(_ element: HTMLElement) -> Bool {
    guard open.index(of: element) >= 0 else { return false }
    let traits = vocabulary.traits(element)
    switch skipped {
    case .svg: return !traits.isDisjoint(with: [.block, .tablePart, .leavesForeign])
    case .select: return element == .table || traits.contains(.tablePart)
    default: return false
    }
  }

  var isInSVG: Bool { skipDepth > 0 && skipped == .svg }

  /// True when the publisher hides the element (`hidden`, `display: none`, a closed `dialog`).
  private mutating func hides(_ tag: borrowing HTMLTag) -> Bool {
    if tag.has(.hidden) || tag.element == .dialog && !tag.has(.open) { return true }
    guard let style = tag.value(.style), style.count <= Self.maximumListBytes, CSSFilter.mayHide(style) else {
      return false
    }
    guard style.contains(UInt8(ascii: "&")) else { return CSSFilter.hides(style) }
    decoded.removeAll()
    entities.decode(style, into: &decoded, inAttribute: true)
    return CSSFilter.hides(decoded.bytes)
  }

  /// Closes elements until `depth` are open. Also closes enclosing elements whose end tag came earlier.
  @inline(__always)
  private mutating func close(downTo depth: Int) {
    guard open.depth > depth else { return }
    while open.depth > depth { pop() }
    while open.currentIsEnding { pop() }
  }

  private mutating func pop() {
    let element = open.pop()
    writeEnd(element)
    if let hidden {
      if open.depth == hidden.depth {
        html.truncate(to: hidden.start)
        self.hidden = nil
      }
    } else if element == .pre {
      text.preformatted &-= 1
    }
    isInTableStructure = vocabulary.traits(open.current).contains(.tableStructure)
  }

  /// Opens an element that is missing in the document.
  private mutating func push(_ element: HTMLElement) {
    guard !open.isFull else {
      isInTableStructure = false
      return
    }
    html.append(UInt8(ascii: "<"))
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    html.append(UInt8(ascii: ">"))
    opened(element, vocabulary.traits(element))
  }

  @inline(__always)
  private mutating func opened(_ element: HTMLElement, _ traits: HTMLTraits) {
    open.push(element, traits)
    if element == .pre, hidden == nil { text.preformatted &+= 1 }
    isInTableStructure = traits.contains(.tableStructure)
  }

  @inline(__always)
  mutating func writeStart(_ element: HTMLElement, _ tag: borrowing HTMLTag) {
    html.append(UInt8(ascii: "<"))
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    if tag.count > 0 { writeAttributes(of: tag, on: element) }
    html.append(UInt8(ascii: ">"))
  }

  @inline(__always)
  private mutating func writeEnd(_ element: HTMLElement) {
    html.append("</")
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    html.append(UInt8(ascii: ">"))
  }
}

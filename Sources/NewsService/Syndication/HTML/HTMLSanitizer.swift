/// Makes the HTML of a feed safe to show, and plain text of it, in one pass.
///
/// What comes out is balanced and contains elements, attributes, URL schemes and style properties of an allow-list
/// only; relative links are resolved; 1×1 images are gone. It is written anew from tokens, with every `<`, `>`, `&` and
/// `"` of text and values escaped, and has no element that would make a browser change its way of reading (raw text,
/// SVG, MathML, templates), so that a browser sees exactly what was checked here.
///
/// Keep one per document: it reuses its buffers.
public struct HTMLSanitizer: ~Copyable {
  private var tokenizer = HTMLTokenizer()
  private var sink = SanitizingSink()
  private var baseText: String?
  private var base: BaseURL?

  public init() {}

  /// The end of the text was left out, because the HTML of its item grew too much.
  var isCut: Bool { sink.isCut }

  /// Links to a place in the same document (`#note`) are left as they are: whoever shows the text knows better where
  /// that is. Not for texts of megabytes, which are not to be gone through again.
  var keepsFragments = false
  /// The last text had such links.
  var hasFragments: Bool { sink.hasFragments }

  /// Another item begins, whose HTML may grow: by links that are resolved, and in texts of megabytes by whatever has to
  /// be escaped or closed.
  mutating func beginItem() {
    sink.growthOfItem = SanitizingSink.maximumGrowth
  }

  /// Sanitised HTML and its plain text (blocks on lines of their own, white space collapsed) for the UTF-8 in `html`.
  /// Without a base relative links stay relative; links to a place in the same text (`#note`) do so with one, too.
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

  /// The same for a base that was taken apart before.
  public mutating func sanitize(
    _ html: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?
  ) -> (html: String, text: String) {
    beginItem()
    keepsFragments = true
    let result = sanitize(html, against: base, makesText: true, isSpent: false)
    guard hasFragments, let base else { return (result.html, result.text ?? "") }
    var growth = SanitizingSink.maximumGrowth
    return (FragmentLinks.settled(result.html, page: base, growth: &growth), result.text ?? "")
  }

  /// The same, where the text may be left out, and where the bytes may be given back as soon as they are read: then
  /// they must be the caller's own, and hold nothing afterwards.
  mutating func sanitize(
    _ html: UnsafeBufferPointer<UInt8>,
    against base: BaseURL?,
    makesText: Bool,
    isSpent: Bool
  ) -> (html: String, text: String?) {
    sink.begin(inputLength: html.count, base: base, makesText: makesText)
    sink.keepsFragments = keepsFragments && html.count < LongText.size
    if isSpent, html.count >= LongText.size {
      tokenizer.run(spent: html, into: &sink)
    } else {
      tokenizer.run(html, into: &sink)
    }
    return sink.finish()
  }

  /// The same for text.
  public mutating func sanitize(_ html: String, base: String?) -> (html: String, text: String) {
    var html = html
    return html.withUTF8 { sanitize($0, base: base) }
  }
}

/// Writes sanitised HTML and plain text from tokens.
struct SanitizingSink: HTMLSink, ~Copyable {
  var html = ByteBuffer(capacity: 4096)
  private var text = HTMLTextWriter()
  private var makesText = true
  private var open = OpenElements()
  /// For each element how many start tags were left out for depth, so that their end tags are left out too.
  private let tooDeep = UnsafeMutablePointer<Int>.allocate(capacity: HTMLElement.count)
  /// The element that is left out with its content, and how many of its name are open; 0: none.
  private var skipped = HTMLElement.unknown
  private var skipDepth = 0
  /// The current element may hold rows or cells only.
  private var isInTableStructure = false

  // For attributes.
  var base: BaseURL?
  var decoded = ByteBuffer()
  var resolved = ByteBuffer()
  var scratch = ByteBuffer()
  /// How many more bytes resolving may add: a long base must not multiply a document of many short links.
  var growth = 0
  var growthOfItem = maximumGrowth
  private var allowance = 0
  static let maximumGrowth = 5 << 19
  private(set) var isCut = false
  /// Whether the image being written has an address, or words to stand for it.
  var hasSource = false
  var hasAlternative = false
  var keepsFragments = false
  var hasFragments = false
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
    allowance = min(inputLength * 8 + (1 << 16), growthOfItem)
    growth = allowance
    isCut = false
    hasFragments = false
  }

  mutating func isFull(after length: Int) -> Bool {
    isCut = html.count > length + growthOfItem
    return isCut
  }

  mutating func finish() -> (html: String, text: String?) {
    growthOfItem -= allowance - max(growth, 0)
    close(downTo: 0)
    let result = html.takeString()
    html.shrink(toAtMost: 1 << 18)
    return (result, makesText ? text.finish() : nil)
  }

  // MARK: Text

  @inline(__always)
  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    guard skipDepth == 0 else { return }
    if isInTableStructure, !enterCell(for: start, length) { return }
    html.append(start, length)
    if makesText { text.append(start, length) }
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    guard skipDepth == 0 else { return }
    if isInTableStructure { openCell() }
    if reference.byteCount == 1 {
      switch UInt8(truncatingIfNeeded: reference.bytes) {
      case 0x26: html.append("&amp;")
      case 0x3C: html.append("&lt;")
      case 0x3E: html.append("&gt;")
      case 0x09, 0x0A, 0x0D, 0x20...0x7E: html.append(reference)
      default: return
      }
    } else {
      html.append(reference)
    }
    if makesText { text.append(reference) }
  }

  /// White space between rows stays where it is; other text opens a cell. False: nothing is left to do.
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

  /// Opens the rows and cells that the document forgot.
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
      guard skipped == .svg, traits.contains(.leavesForeign) else {
        if element == skipped, !tag.isSelfClosing { skipDepth &+= 1 }
        return
      }
      skipDepth = 0
    }
    if traits.contains(.block) { text.endLine(isSpaced: traits.contains(.spaced)) }
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
    case .ruby, .rb, .rp, .rt, .rtc: text.startRuby(element)
    default: break
    }
    guard vocabulary.traits(element).contains(.allowed) else { return }
    if element != tag.element { traits = vocabulary.traits(element) }
    guard makeRoom(for: element, traits) else { return }
    if traits.contains(.void) {
      void(element, tag)
      return
    }
    guard !open.isFull else {
      if !tag.isSelfClosing { tooDeep[Int(element.rawValue)] &+= 1 }
      return
    }
    writeStart(element, tag)
    if tag.isSelfClosing {
      writeEnd(element)
    } else {
      opened(element, traits)
    }
  }

  private mutating func void(_ element: HTMLElement, _ tag: borrowing HTMLTag) {
    switch element {
    case .br:
      text.lineBreak()
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

  /// Closes what cannot hold `element` and opens what it needs around it. False: it has no place here.
  @inline(__always)
  private mutating func makeRoom(for element: HTMLElement, _ traits: HTMLTraits) -> Bool {
    if traits.contains(.tablePart) { return makeRoomInTable(for: element) }
    if isInTableStructure { openCell() }
    if traits.contains(.closesParagraph) {
      let paragraph = open.index(of: .p)
      if paragraph > open.barrier { close(downTo: paragraph) }
    }
    switch element {
    case .li:
      let item = open.index(of: .li)
      if item > open.special { close(downTo: item) }
    case .dd, .dt:
      let item = max(open.index(of: .dd), open.index(of: .dt))
      if item > open.special { close(downTo: item) }
    case .a:
      let link = open.index(of: .a)
      if link > open.barrier { close(downTo: link) }
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
      text.space()
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
      text.space()
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
      if name == skipped { skipDepth &-= 1 }
      return
    }
    var element = name
    var traits = vocabulary.traits(element)
    if traits.contains(.block) { text.endLine(isSpaced: traits.contains(.spaced)) }
    switch element {
    case .br:
      if isInTableStructure { openCell() }
      html.append("<br>")
      text.lineBreak()
      return
    case .listing, .xmp:
      element = .pre
      traits = vocabulary.traits(element)
    case .ruby, .rb, .rp, .rt, .rtc:
      text.endRuby(element)
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
      close(downTo: index)
    }
  }

  // MARK: The stack

  /// Closes elements until `depth` are open, and those around them whose end had to wait for it.
  @inline(__always)
  private mutating func close(downTo depth: Int) {
    guard open.depth > depth else { return }
    while open.depth > depth { pop() }
    while open.currentIsEnding { pop() }
  }

  private mutating func pop() {
    let element = open.pop()
    writeEnd(element)
    if element == .pre { text.preformatted &-= 1 }
    isInTableStructure = vocabulary.traits(open.current).contains(.tableStructure)
  }

  /// Opens an element that the document left out.
  private mutating func push(_ element: HTMLElement) {
    guard !open.isFull else {
      isInTableStructure = false
      return
    }
    html.append(0x3C)
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    html.append(0x3E)
    opened(element, vocabulary.traits(element))
  }

  @inline(__always)
  private mutating func opened(_ element: HTMLElement, _ traits: HTMLTraits) {
    open.push(element, traits)
    if element == .pre { text.preformatted &+= 1 }
    isInTableStructure = traits.contains(.tableStructure)
  }

  @inline(__always)
  mutating func writeStart(_ element: HTMLElement, _ tag: borrowing HTMLTag) {
    html.append(0x3C)
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    if tag.count > 0 { writeAttributes(of: tag, on: element) }
    html.append(0x3E)
  }

  @inline(__always)
  private mutating func writeEnd(_ element: HTMLElement) {
    html.append("</")
    let name = vocabulary.name(element)
    html.append(name.name, name.length)
    html.append(0x3E)
  }
}

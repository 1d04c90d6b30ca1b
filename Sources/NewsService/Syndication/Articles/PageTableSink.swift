import NewsToolbox

/// Enters the elements of a page in a table, and collects the page's metadata.
struct PageTableSink: HTMLSink, ~Copyable {
  static var readsUnknownElements: Bool { true }

  private(set) var table = PageTable()
  var metadata = PageMetadata()
  private let origin: UnsafePointer<UInt8>
  private let limit: Int32
  private var open = OpenElements(capacity: PageTable.maximumDepth)
  /// The table's index of each open element.
  private let nodes = UnsafeMutablePointer<Int32>.allocate(capacity: PageTable.maximumDepth + 1)
  /// For each open element, the innermost block that contains its text.
  private let blocks = UnsafeMutablePointer<Int32>.allocate(capacity: PageTable.maximumDepth + 1)
  /// For each element, the number of ignored start tags. As many end tags are ignored.
  private let leftOut = UnsafeMutablePointer<Int>.allocate(capacity: HTMLElement.count)
  private var endsInSpace = true
  /// Number of `br` elements since the last text.
  private var breaks = 0
  /// Depth of the innermost link (-1: none), and whether the link leads to an anchor on the same page.
  private var link = -1
  private var isFragmentLink = false
  private var fragmentLetters: Int32 = 0
  /// Depth of the outermost open `pre`, `code` or table; in it, no class or id excludes an element.
  private var literalDepth = Int.max
  private let vocabulary = HTMLVocabulary.shared
  private let matcher = NameMatcher.shared

  init(_ page: UnsafeBufferPointer<UInt8>, at origin: UnsafePointer<UInt8>) {
    self.origin = origin
    limit = Int32(page.count)
    leftOut.initialize(repeating: 0, count: HTMLElement.count)
    var root = PageTable.Element()
    root.flags = .block
    root.contentEnd = limit
    root.stop = limit
    nodes[0] = Int32(table.append(root))
    blocks[0] = 0
  }

  deinit {
    nodes.deallocate()
    blocks.deallocate()
    leftOut.deallocate()
  }

  /// Ends the elements that are still open.
  mutating func finish() {
    while open.depth > 0 { pop(at: limit, stop: limit) }
    table.elements[0].end = Int32(table.count)
  }

  @inline(__always)
  private func offset(_ place: UnsafePointer<UInt8>?) -> Int32 {
    guard let place else { return 0 }
    return Int32(truncatingIfNeeded: place - origin)
  }

  // MARK: Text

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    var letters: Int32 = 0
    var commas: Int32 = 0
    var index = 0
    var isSpace = endsInSpace
    while index < length {
      let byte = start[index]
      index &+= 1
      if byte <= 0x20 {
        if !isSpace {
          letters &+= 1
          isSpace = true
        }
        continue
      }
      isSpace = false
      if byte < 0x80 {
        letters &+= 1
        if byte == UInt8(ascii: ",") { commas &+= 1 }
      } else if byte >= 0xC0 {
        letters &+= byte >= 0xE3 && byte <= 0xED ? 2 : 1
        if isComma(start + index - 1, length - index) { commas &+= 1 }
      }
    }
    endsInSpace = isSpace
    add(letters, commas)
  }

  /// True if the bytes are one of the commas `،`, `、` and `，`. `rest` is the number of bytes available after the
  /// first.
  @inline(__always)
  private func isComma(_ sign: UnsafePointer<UInt8>, _ rest: Int) -> Bool {
    switch sign[0] {
    case 0xD8: rest >= 1 && sign[1] == 0x8C
    case 0xE3: rest >= 2 && sign[1] == 0x80 && sign[2] == 0x81
    case 0xEF: rest >= 2 && sign[1] == 0xBC && sign[2] == 0x8C
    default: false
    }
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    // No-break spaces count as letters, because they are too few to matter.
    endsInSpace = false
    add(1, 0)
  }

  @inline(__always)
  private mutating func add(_ letters: Int32, _ commas: Int32) {
    guard letters > 0 else { return }
    if letters > 1 { breaks = 0 }
    var links: Int32 = 0
    if link >= 0 {
      links = letters
      if isFragmentLink {
        fragmentLetters &+= letters
        links = fragmentLetters / 3
        fragmentLetters -= links * 3
      }
    }
    let depth = open.depth
    let own = Int(nodes[depth])
    table.elements[own].own.letters &+= letters
    table.elements[own].own.links &+= links
    table.elements[own].own.commas &+= commas
    let block = Int(blocks[depth])
    table.elements[block].line.letters &+= letters
    table.elements[block].line.links &+= links
    table.elements[block].line.commas &+= commas
  }

  // MARK: Tags

  mutating func startTag(_ tag: borrowing HTMLTag) {
    let name = tag.element
    let traits = vocabulary.traits(name)
    let start = offset(tag.start)
    if name == .br { breakLine() }
    metadata.read(tag)
    if name == .html || name == .body, open.index(of: name) >= 0 { return }
    closeElements(before: name, traits, at: start)
    guard !table.isFull, !open.isFull else {
      if !traits.contains(.void), !tag.isSelfClosing { leftOut[Int(name.rawValue)] &+= 1 }
      return
    }
    var element = PageTable.Element()
    element.name = name
    element.parent = nodes[open.depth]
    element.start = start
    element.contentStart = offset(tag.end)
    let isBlock = traits.contains(.block) || name == .td || name == .th
    if isBlock {
      element.flags.insert(.block)
      table.elements[Int(blocks[open.depth])].flags.insert(.hasBlocks)
      endsInSpace = true
    } else if name != .unknown {
      element.flags.insert(.inline)
    }
    read(tag, into: &element)
    let index = table.append(element)
    guard !traits.contains(.void), !tag.isSelfClosing else {
      table.elements[index].end = Int32(index + 1)
      table.elements[index].contentEnd = element.contentStart
      table.elements[index].stop = element.contentStart
      if name == .img { endsInSpace = false }
      return
    }
    noteInTable(name)
    open.push(name, traits)
    nodes[open.depth] = Int32(index)
    blocks[open.depth] = isBlock ? Int32(index) : blocks[open.depth - 1]
    if name == .a, tag.has(.href) {
      link = open.depth
      isFragmentLink = tag.value(.href)?.first == UInt8(ascii: "#")
    }
    if literalDepth == .max, name == .pre || name == .code || name == .table { literalDepth = open.depth }
  }

  private mutating func breakLine() {
    breaks += 1
    endsInSpace = true
    guard breaks == 2 else { return }
    let block = Int(blocks[open.depth])
    if table.elements[block].breaks < .max { table.elements[block].breaks += 1 }
  }

  /// Records signs that the innermost table holds data and is not used for layout.
  private mutating func noteInTable(_ name: HTMLElement) {
    switch name {
    case .tr, .td, .th, .caption, .thead: break
    default: return
    }
    let place = open.index(of: .table)
    guard place >= 0 else { return }
    let node = Int(nodes[place + 1])
    switch name {
    case .tr:
      if table.elements[node].breaks < .max { table.elements[node].breaks += 1 }
    case .td:
      let row = Int(nodes[open.depth])
      if table.elements[row].flags.contains(.hasCell) { table.elements[node].flags.insert(.hasCell) }
      table.elements[row].flags.insert(.hasCell)
    default:
      table.elements[node].flags.insert(.dataTable)
    }
  }

  /// Reads the attributes by which the element is scored, hidden or classified.
  @inline(__always)
  private func read(_ tag: borrowing HTMLTag, into element: inout PageTable.Element) {
    guard tag.count > 0 else { return }
    if literalDepth <= open.depth { element.flags.insert(.isLiteral) }
    for index in 0..<tag.count {
      let value = UnsafeBufferPointer(start: tag[index].start, count: tag[index].length)
      switch tag[index].name {
      case .class, .id:
        let meaning = matcher.meaning(of: value)
        element.meaning.formUnion(meaning)
        if meaning.contains(.positive) { element.weight += 25 }
        if meaning.contains(.negative) { element.weight -= 25 }
      case .hidden:
        if !ByteText.equals(value, "until-found") { element.flags.insert(.hidden) }
      case .ariaHidden:
        if ByteText.equals(value, "true"), element.name != .img { element.flags.insert(.hidden) }
      case .ariaModal:
        if ByteText.equals(value, "true") { element.flags.insert(.hidden) }
      case .style:
        if value.count < 4096, CSSFilter.hides(value) { element.flags.insert(.hidden) }
      case .role:
        if Self.isForeign(value) { element.flags.insert(.foreignRole) }
      case .itemprop:
        if ByteText.equals(value, "articlebody") { element.flags.insert(.articleBody) }
        if ByteText.equals(value, "author") { element.flags.insert(.author) }
        if ByteText.equals(value, "description") { element.meaning.insert(.lead) }
      case .rel:
        if ByteText.equals(value, "author") { element.flags.insert(.author) }
      case .shadowrootmode:
        // A declarative shadow root: the browser shows its content instead of the content of the parent element.
        if element.name == .template { element.name = .div }
      default: break
      }
    }
  }

  private static func isForeign(_ role: UnsafeBufferPointer<UInt8>) -> Bool {
    for word: StaticString in [
      "navigation", "complementary", "banner", "contentinfo", "menu", "menubar", "dialog", "alertdialog",
      "search",
    ] where ByteText.equals(role, word) {
      return true
    }
    return false
  }

  /// Ends the elements that cannot hold `name`.
  @inline(__always)
  private mutating func closeElements(before name: HTMLElement, _ traits: HTMLTraits, at place: Int32) {
    if traits.contains(.tablePart) {
      makeRoomInTable(for: name, at: place)
      return
    }
    if open.current == .head, !Self.belongsInHead(name) { pop(at: place, stop: place) }
    if traits.contains(.closesParagraph) {
      let paragraph = open.index(of: .p)
      if paragraph > open.barrier { close(downTo: paragraph, at: place) }
    }
    switch name {
    case .li:
      let item = open.index(of: .li)
      if item > open.special { close(downTo: item, at: place) }
    case .dd, .dt:
      let item = max(open.index(of: .dd), open.index(of: .dt))
      if item > open.special { close(downTo: item, at: place) }
    case .a:
      let link = open.index(of: .a)
      if link > max(open.barrier, open.block) { close(downTo: link, at: place) }
    case .option:
      let option = open.index(of: .option)
      if option >= 0 { close(downTo: option, at: place) }
    default:
      if traits.contains(.heading), vocabulary.traits(open.current).contains(.heading) {
        pop(at: place, stop: place)
      }
    }
  }

  /// True for elements that a head may contain. Any other element ends a head without end tag.
  private static func belongsInHead(_ name: HTMLElement) -> Bool {
    switch name {
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .noscript, .script, .style, .template, .title,
      .unknown:
      true
    default: false
    }
  }

  private mutating func makeRoomInTable(for name: HTMLElement, at place: Int32) {
    let table = open.index(of: .table)
    guard table >= 0 else { return }
    let section = max(open.index(of: .tbody), open.index(of: .thead), open.index(of: .tfoot), table)
    switch name {
    case .td, .th:
      let row = open.index(of: .tr)
      close(downTo: row > table ? row + 1 : section + 1, at: place)
    case .tr:
      close(downTo: section + 1, at: place)
    case .col:
      break
    default:
      close(downTo: table + 1, at: place)
    }
  }

  mutating func endTag(_ element: HTMLElement) {}

  mutating func endTag(
    _ name: HTMLElement,
    from start: UnsafePointer<UInt8>,
    to end: UnsafePointer<UInt8>
  ) {
    if leftOut[Int(name.rawValue)] > 0 {
      leftOut[Int(name.rawValue)] &-= 1
      return
    }
    let traits = vocabulary.traits(name)
    guard !traits.contains(.void), name != .body, name != .html else { return }
    var index = open.index(of: name)
    if traits.contains(.heading) {
      index = max(
        max(open.index(of: .h1), open.index(of: .h2), open.index(of: .h3)),
        max(open.index(of: .h4), open.index(of: .h5), open.index(of: .h6))
      )
    }
    if name == .unknown { index = placeOfUnknown(start) }
    guard index >= 0 else { return }
    let limit: Int
    if traits.contains(.tablePart) {
      limit = open.index(of: .table)
    } else if name == .table {
      limit = -1
    } else if name == .li {
      limit = max(open.index(of: .ul), open.index(of: .ol), open.barrier)
    } else {
      limit = open.barrier
    }
    guard index > limit else { return }
    // An inline element that contains an open block ends together with the block that encloses it.
    if open.block > index, !traits.contains(.block), !traits.contains(.tablePart), name != .unknown { return }
    let from = offset(start)
    close(downTo: index + 1, at: from)
    if name == .title || name == .script {
      let first = table.elements[Int(nodes[open.depth])].contentStart
      metadata.content(
        of: name,
        UnsafeBufferPointer(start: origin + Int(first), count: Int(max(from - first, 0)))
      )
    }
    pop(at: from, stop: offset(end))
  }

  /// Returns the open element that an unknown element's end tag closes. Searches only the innermost elements.
  private func placeOfUnknown(_ tag: UnsafePointer<UInt8>) -> Int {
    let name = tag + 2
    var length = 0
    let room = Int(limit) - (name - origin)
    while length < room, name[length] != UInt8(ascii: ">"), !ASCII.isSpace(name[length]) { length += 1 }
    var depth = open.depth
    let lowest = max(depth - 24, 0)
    while depth > lowest {
      let element = table.elements[Int(nodes[depth])]
      if element.name == .unknown {
        let written = origin + Int(element.start) + 1
        if Int(element.contentStart - element.start) > length,
          (0..<length).allSatisfy({ ASCII.lowercase(written[$0]) == ASCII.lowercase(name[$0]) })
        {
          return depth - 1
        }
      }
      depth -= 1
    }
    return -1
  }

  // MARK: The stack

  @inline(__always)
  private mutating func close(downTo depth: Int, at place: Int32) {
    while open.depth > depth { pop(at: place, stop: place) }
  }

  @inline(__always)
  private mutating func pop(at place: Int32, stop: Int32) {
    let index = Int(nodes[open.depth])
    if table.elements[index].flags.contains(.block) { endsInSpace = true }
    if link == open.depth { link = -1 }
    if literalDepth == open.depth { literalDepth = .max }
    _ = open.pop()
    table.elements[index].end = Int32(table.count)
    table.elements[index].contentEnd = place
    table.elements[index].stop = stop
  }
}

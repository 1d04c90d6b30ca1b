import NewsCore
import NewsToolbox

/// Collects spans into blocks as elements open and close.
struct RichTextWriter: ~Copyable {
  private(set) var result = RichText()

  // The block being written.
  private var spans: [RichText.Span] = []
  private var run = ByteBuffer()
  private var endsInSpace = true
  private var lineBreaks = 0
  /// Marker of the list item whose first block is pending.
  private var marker: String?

  // The open elements that enclose the block.
  private var counts = [Int](repeating: 0, count: HTMLElement.count)
  private var lists: [(isOrdered: Bool, number: Int)] = []
  private var heading = 0
  private var preformatted = 0
  private var quotations = 0

  // The link being written.
  private var linkTarget: String?
  private var linkHasText = false
  private var footnotes: [String: Int] = [:]
  private var media: String?

  // The current table row; nil outside of rows, and in a row that is treated as layout.
  private var row: [[RichText.Span]]?
  private var isInCell = false
  private var isHeaderRow = false

  // MARK: Text

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if preformatted > 0 {
      run.append(bytes)
      return
    }
    for byte in bytes {
      if byte <= UInt8(ascii: " ") {
        if !endsInSpace {
          run.append(UInt8(ascii: " "))
          endsInSpace = true
        }
        continue
      }
      if lineBreaks > 0 { writeLineBreaks() }
      run.append(byte)
      endsInSpace = false
    }
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Records a line break. One break starts a new line, two or more start a new paragraph. Breaks at either end of a
  /// block are ignored.
  mutating func lineBreak() {
    if preformatted > 0 {
      run.append(UInt8(ascii: "\n"))
    } else if !isEmpty {
      lineBreaks += 1
    }
  }

  private mutating func writeLineBreaks() {
    let isParagraph = lineBreaks > 1
    lineBreaks = 0
    if isParagraph {
      endBlock()
    } else {
      if run.last == UInt8(ascii: " ") { run.truncate(to: run.count - 1) }
      run.append(UInt8(ascii: "\n"))
      endsInSpace = true
    }
  }

  private var isEmpty: Bool { spans.isEmpty && run.isEmpty }

  private var style: RichText.Style {
    var style: RichText.Style = []
    func isOpen(_ elements: HTMLElement...) -> Bool { elements.contains { counts[Int($0.rawValue)] > 0 } }
    if isOpen(.b, .strong, .dt) { style.insert(.strong) }
    if isOpen(.i, .em, .cite, .dfn, .figcaption, .address) { style.insert(.emphasis) }
    if isOpen(.code, .kbd, .samp, .tt) { style.insert(.code) }
    if isOpen(.del, .s, .strike) { style.insert(.struck) }
    if linkTarget != nil { style.insert(.link) }
    return style
  }

  private mutating func endSpan() {
    guard !run.isEmpty else { return }
    spans.append(RichText.Span(text: run.string(), style: style))
    run.removeAll()
    if linkTarget != nil { linkHasText = true }
  }

  // MARK: Blocks

  private var indent: Int { lists.count + quotations + counts[Int(HTMLElement.dd.rawValue)] }

  mutating func endBlock() {
    if preformatted > 0 { return }
    endSpan()
    lineBreaks = 0
    endsInSpace = true
    trimEnd()
    guard !spans.isEmpty else { return }
    noteLink()
    let block = spans
    spans.removeAll()
    if isInCell, row != nil {
      addToCell(block)
    } else {
      emit(block)
    }
  }

  private mutating func trimEnd() {
    while let last = spans.last {
      let trimmed = last.text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        .count
      guard trimmed > 0 else { return }
      guard trimmed == last.text.utf8.count, last.footnote == nil else {
        spans[spans.count - 1].text = String(streamSafe: last.text.utf8.dropLast(trimmed))
        return
      }
      spans.removeLast()
    }
  }

  private mutating func emit(_ spans: [RichText.Span]) {
    if heading > 0 {
      result.blocks.append(.heading(spans, level: heading))
    } else if let marker {
      self.marker = nil
      result.blocks.append(.listItem(spans, marker: marker, indent: max(indent - 1, 0)))
    } else if quotations > 0 {
      result.blocks.append(.quotation(spans, indent: max(indent - 1, 0)))
    } else {
      result.blocks.append(.paragraph(spans, indent: indent))
    }
  }

  mutating func rule() {
    endBlock()
    flattenRow()
    if result.blocks.last != .rule { result.blocks.append(.rule) }
  }

  // MARK: Elements

  mutating func enter(_ element: HTMLElement, _ tag: borrowing HTMLTag) {
    switch element {
    case .ul, .ol, .menu, .dir:
      lists.append((element == .ol, tag.text(.start).flatMap { Int($0) } ?? 1))
    case .li:
      beginItem(value: tag.text(.value).flatMap { Int($0) })
    case .blockquote:
      quotations += 1
    case .h1, .h2, .h3, .h4, .h5, .h6:
      heading = Int(element.rawValue - HTMLElement.h1.rawValue) + 1
    case .pre, .listing, .xmp, .plaintext:
      beginPreformatted()
    case .q:
      append("“")
    case .a:
      endSpan()
      beginLink(tag.text(.href))
    case .video, .audio:
      media = nil
      mediaSource(tag.text(.src))
    case .table:
      flattenRow()
    case .tr:
      row = []
      isHeaderRow = true
    case .td, .th:
      isInCell = true
      if element == .td { isHeaderRow = false }
      row?.append([])
    default:
      break
    }
    if preformatted == 0 { endSpan() }
    counts[Int(element.rawValue)] += 1
  }

  mutating func leave(_ element: HTMLElement) {
    if element == .q { append("”") }
    if preformatted == 0 { endSpan() }
    if counts[Int(element.rawValue)] > 0 { counts[Int(element.rawValue)] -= 1 }
    switch element {
    case .ul, .ol, .menu, .dir:
      endBlock()
      if !lists.isEmpty { lists.removeLast() }
      marker = nil
    case .li:
      endBlock()
      marker = nil
    case .blockquote:
      endBlock()
      quotations -= 1
    case .h1, .h2, .h3, .h4, .h5, .h6:
      endBlock()
      heading = 0
    case .pre, .listing, .xmp, .plaintext:
      endPreformatted()
    case .a:
      noteLink()
      linkTarget = nil
    case .video, .audio:
      endMedia(element)
    case .td, .th:
      endBlock()
      isInCell = false
    case .tr:
      endBlock()
      endRow()
    case .table:
      flattenRow()
    default:
      break
    }
  }

  private mutating func beginItem(value: Int?) {
    if let value, !lists.isEmpty { lists[lists.count - 1].number = value }
    guard let list = lists.last, list.isOrdered else {
      marker = "•"
      return
    }
    marker = "\(list.number)."
    lists[lists.count - 1].number &+= 1
  }

  private mutating func beginPreformatted() {
    if preformatted == 0 {
      endBlock()
      flattenRow()
    }
    preformatted += 1
  }

  private mutating func endPreformatted() {
    preformatted -= 1
    guard preformatted == 0 else { return }
    var text = run.string()
    run.removeAll()
    endsInSpace = true
    if text.utf8.first == UInt8(ascii: "\n") { text.removeFirst() }
    let trailing = text.utf8.reversed().prefix {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n")
        || $0 == UInt8(ascii: "\r")
    }.count
    text = String(streamSafe: text.utf8.dropLast(trailing))
    if !text.isEmpty { result.blocks.append(.preformatted(text, indent: indent)) }
  }

  // MARK: Links and images

  private mutating func beginLink(_ target: String?) {
    linkTarget = target.flatMap {
      $0.utf8.first == UInt8(ascii: "#") ? nil : URLResolver.resolve($0, against: nil)
    }
    linkHasText = false
  }

  /// Attaches the link's footnote to the last span of the link, unless that has been done.
  private mutating func noteLink() {
    guard let target = linkTarget, linkHasText || !run.isEmpty else { return }
    endSpan()
    guard !spans.isEmpty else { return }
    spans[spans.count - 1].footnote = footnote(for: target)
    linkHasText = false
    linkTarget = nil
  }

  private mutating func footnote(for target: String) -> Int {
    if let known = footnotes[target] { return known }
    result.links.append(target)
    footnotes[target] = result.links.count
    return result.links.count
  }

  mutating func image(_ alternative: String?, title: String?, source: String?) {
    var line = HTMLPlainText()
    var text = ""
    for candidate in [alternative, title] where text.isEmpty {
      text = candidate.map { line.line(ofHTML: $0.replacing(ascii: "<", with: "&lt;")) } ?? ""
    }
    if text.isEmpty, let source {
      let path = source.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
      text = String(streamSafe: name)
    }
    guard !text.isEmpty, preformatted == 0 else { return }
    if lineBreaks > 0 { writeLineBreaks() }
    endSpan()
    var picture: Int?
    if let source, WebAddress.isWeb(source), let address = URLResolver.resolve(source, against: nil) {
      picture = footnote(for: address)
    }
    spans.append(RichText.Span(text: text, style: style.union(.image), picture: picture))
    endsInSpace = false
    if linkTarget != nil { linkHasText = true }
  }

  mutating func mediaSource(_ source: String?) {
    guard media == nil, let source else { return }
    media = URLResolver.resolve(source, against: nil, policy: .resource)
  }

  private mutating func endMedia(_ element: HTMLElement) {
    guard let target = media, preformatted == 0 else { return }
    media = nil
    spans.append(RichText.Span(text: element.name, style: .link, footnote: footnote(for: target)))
    endsInSpace = false
  }

  // MARK: Tables

  private mutating func addToCell(_ block: [RichText.Span]) {
    if let last = row?.indices.last, row?[last].isEmpty == true, marker == nil, heading == 0 {
      row?[last] = block
    } else {
      // A second block in a cell means that the table is for layout.
      flattenRow()
      emit(block)
    }
  }

  private mutating func endRow() {
    guard let cells = row else { return }
    row = nil
    let filled = cells.filter { !$0.isEmpty }
    if cells.count > 1, !filled.isEmpty {
      result.blocks.append(.tableRow(cells, isHeader: isHeaderRow))
    } else {
      for cell in filled { emit(cell) }
    }
  }

  /// Treats the row as layout: writes its cells so far, and later content, as blocks.
  private mutating func flattenRow() {
    guard let cells = row else { return }
    row = nil
    for cell in cells where !cell.isEmpty { emit(cell) }
  }
}

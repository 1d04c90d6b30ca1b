public import NewsCore

/// Converts an item's HTML to blocks of text for terminals.
///
/// Top-level list items and quotations have indent 0, each nesting level adds one. A `br` is a line feed within a span.
/// The last span of a link carries its footnote. A picture is represented by its alternative text, else its title, else
/// its file name, and is numbered like a link if its address is one of the web. A table with several blocks in a cell is
/// treated as layout and becomes plain blocks.
public struct HTMLRichText: RichTextRendering {
  public init() {}

  public func richText(fromHTML html: String) -> RichText {
    var tokenizer = HTMLTokenizer()
    var sink = RichTextSink()
    var html = html
    html.withUTF8 { tokenizer.run($0, into: &sink) }
    return sink.finish()
  }
}

/// Builds rich text from tokens.
private struct RichTextSink: HTMLSink, ~Copyable {
  private var writer = RichTextWriter()
  private var open = OpenElements()
  private var ruby = RubyText()
  private var formula = FormulaText()
  private var skipped = HTMLElement.unknown
  private var skipDepth = 0
  private let vocabulary = HTMLVocabulary.shared

  var isInSVG: Bool { skipDepth > 0 && skipped == .svg }

  consuming func finish() -> RichText {
    endRuby()
    close(downTo: 0)
    writer.endBlock()
    return writer.result
  }

  mutating func text(_ start: UnsafePointer<UInt8>, _ length: Int) {
    if skipDepth == 0 { append(UnsafeBufferPointer(start: start, count: length)) }
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    if ruby.isInAnnotation { ruby.appendAnnotation(text) } else { writer.append(text) }
  }

  private mutating func endRuby() {
    guard ruby.endBlock() else { return }
    var text = ruby.finish()
    text.withUTF8 { writer.append($0) }
  }

  mutating func character(_ reference: HTMLEntities.Reference) {
    guard skipDepth == 0 else { return }
    withUnsafeBytes(of: reference.bytes) { bytes in
      append(bytes.bindMemory(to: UInt8.self).extracting(0..<reference.byteCount))
    }
  }

  mutating func startTag(_ tag: borrowing HTMLTag) {
    let element = tag.element
    let traits = vocabulary.traits(element)
    if skipDepth > 0 {
      guard skipped == .svg, traits.contains(.leavesForeign) else {
        if element == skipped, !tag.isSelfClosing { skipDepth += 1 }
        return
      }
      skipDepth = 0
    }
    if traits.contains(.skipped) {
      if !tag.isSelfClosing {
        skipped = element
        skipDepth = 1
      }
      return
    }
    if traits.contains(.block) {
      endRuby()
      writer.endBlock()
    }
    if element.isRuby { ruby.start(element) }
    closeElements(before: element)
    if traits.contains(.math) {
      write(formula.start(element, in: open.current))
      if tag.isSelfClosing { write(formula.end(element)) }
    }
    switch element {
    case .br: writer.lineBreak()
    case .hr: writer.rule()
    case .img, .image: writer.image(tag.text(.alt), title: tag.text(.title), source: tag.text(.src))
    case .source where open.current == .video || open.current == .audio: writer.mediaSource(tag.text(.src))
    default: break
    }
    guard !traits.contains(.void), !tag.isSelfClosing, !open.isFull else { return }
    open.push(element, traits)
    writer.enter(element, tag)
  }

  private mutating func closeElements(before element: HTMLElement) {
    switch element {
    case .li, .dd, .dt, .a:
      if let ended = open.index(endedBy: element) { close(downTo: ended) }
    case .td, .th:
      let row = open.index(of: .tr)
      if row > open.index(of: .table) { close(downTo: row + 1) }
    case .tr:
      let row = open.index(of: .tr)
      if row > open.index(of: .table) { close(downTo: row) }
    default:
      break
    }
  }

  mutating func endTag(_ element: HTMLElement) {
    if skipDepth > 0 {
      if element == skipped { skipDepth -= 1 }
      return
    }
    let traits = vocabulary.traits(element)
    if traits.contains(.block) {
      endRuby()
      writer.endBlock()
    }
    if element == .ruby { endRuby() } else if element.isRuby { _ = ruby.end(element) }
    if element == .br { writer.lineBreak() }
    let index = open.index(of: element)
    let limit: Int
    if element == .table {
      limit = -1
    } else if traits.contains(.tablePart) {
      limit = open.index(of: .table)
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

  private mutating func close(downTo depth: Int) {
    guard open.depth > depth else { return }
    while open.depth > depth { leave() }
    while open.currentIsEnding { leave() }
  }

  private mutating func leave() {
    let element = open.pop()
    if element.isMath { write(formula.end(element)) }
    writer.leave(element)
  }

  private mutating func write(_ sign: StaticString?) {
    guard let sign else { return }
    append(UnsafeBufferPointer(start: sign.utf8Start, count: sign.utf8CodeUnitCount))
  }
}

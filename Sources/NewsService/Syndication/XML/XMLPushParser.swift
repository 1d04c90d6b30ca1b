import CLibXML2
import NewsCore

/// Feeds UTF-8 to libxml2's SAX2 push parser and hands its events to a builder.
///
/// libxml2 sees neither a DOCTYPE nor an oversized start tag nor ill-formed text that matters (`MarkupSplitter` and
/// `XMLMender` stand before it), so that it expands no entity, opens no file, and takes linear time.
struct XMLPushParser {
  /// The size of the pieces pushed; larger ones gain nothing.
  static let chunkSize = 16 * 1024

  private static let nameBytes = 60_000

  /// What the parser had to say.
  struct Outcome {
    /// The first breach of well-formedness; with `recovers` false nothing was read beyond it.
    var fatal: Finding?
    /// Breaches of the namespace rules, after which reading goes on.
    var namespaceProblems: [Finding] = []
  }

  /// What the callbacks get.
  private struct Context: ~Copyable {
    let builder: UnsafeMutablePointer<FeedBuilder>
    var events = MarkupEvents()
    var outcome = Outcome()
    /// The parser and what feeds it do not agree on what comes next.
    var isOutOfStep = false

    init(_ builder: UnsafeMutablePointer<FeedBuilder>) {
      self.builder = builder
    }
  }

  private let parser: xmlParserCtxtPtr
  private let context: UnsafeMutablePointer<Context>
  private let builder: UnsafeMutablePointer<FeedBuilder>

  /// Nil when libxml2 has no memory. `close` must be called. With `isSplit`, text is announced by `expect` and stands
  /// in the input as placeholders.
  init?(builder: UnsafeMutablePointer<FeedBuilder>, recovers: Bool, isSplit: Bool) {
    Self.initializeLibrary()
    self.builder = builder
    context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    context.initialize(to: Context(builder))
    var handler = Self.handler(isSplit: isSplit)
    guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
      context.deinitialize(count: 1)
      context.deallocate()
      return nil
    }
    self.parser = parser
    // The table of names grows to a few thousand places and no further, so that very many names take quadratic time.
    // Beyond this many bytes the parser gives up, and the mender sees to it that there are fewer.
    if let names = parser.pointee.dict { xmlDictSetLimit(names, Self.nameBytes) }
    var options = XML_PARSE_NONET.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    if recovers { options |= XML_PARSE_RECOVER.rawValue }
    xmlCtxtUseOptions(parser, Int32(options))
  }

  var outcome: Outcome {
    var outcome = context.pointee.outcome
    if outcome.fatal == nil, context.pointee.isOutOfStep {
      outcome.fatal = Finding(
        offset: context.pointee.events.offset,
        message: "The document is not well-formed."
      )
    }
    return outcome
  }

  /// Announces what the next input is made of; every event in its order.
  @inline(__always)
  func expect(
    _ kind: MarkupEvents.Kind,
    at offset: Int,
    text: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
  ) {
    context.pointee.events.append(kind, at: offset, text: text)
  }

  /// Announced, and not met yet.
  var pendingEvents: Int { context.pointee.events.count }

  var isStoppedByBuilder: Bool { builder.pointee.isStopped }

  /// The open field has no room for more text.
  var isFieldFull: Bool { builder.pointee.isFieldFull }

  /// What was read of a mapped document need not stay in memory.
  @inline(__always)
  func giveBackDocument() {
    if builder.pointee.pages != nil { builder.pointee.pages?.giveBack() }
  }

  /// Gives the builder the text that was announced last, past the parser.
  func deliverText() {
    Self.takeText(context)
  }

  /// False: nothing more needs to come.
  @discardableResult
  func push(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var offset = 0
    while offset < bytes.count {
      let size = min(Self.chunkSize, bytes.count - offset)
      UnsafeRawPointer(base + offset).withMemoryRebound(to: CChar.self, capacity: size) {
        _ = xmlParseChunk(parser, $0, Int32(size), 0)
      }
      if builder.pointee.isStopped || newsd_xml_is_stopped(parser) != 0 { return false }
      offset += size
      if offset & (LongText.pieceSize - 1) == 0 { giveBackDocument() }
    }
    return true
  }

  func finish() {
    if !builder.pointee.isStopped, newsd_xml_is_stopped(parser) == 0 { xmlParseChunk(parser, nil, 0, 1) }
  }

  func close() {
    xmlFreeParserCtxt(parser)
    context.deinitialize(count: 1)
    context.deallocate()
  }

  // MARK: Callbacks

  private static let isLibraryReady: Bool = {
    xmlInitParser()
    newsd_xml_be_silent()
    return true
  }()

  static func initializeLibrary() { _ = isLibraryReady }

  private static func handler(isSplit: Bool) -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, name, prefix, uri, namespaceCount, namespaces, count, _, attributes in
      guard let context = context?.assumingMemoryBound(to: Context.self), let name else { return }
      context.pointee.events.meetStart()
      let builder = context.pointee.builder
      builder.pointee.offset = context.pointee.events.offset
      if builder.pointee.depth == 0, namespaceCount > 0 {
        builder.pointee.declareRootNamespaces(namespaces, count: Int(namespaceCount))
      }
      builder.pointee.startElement(
        name,
        prefix: prefix,
        uri: uri,
        attributes: XMLAttributes(attributes, count: Int(count))
      )
    }
    handler.endElementNs = { context, _, _, _ in
      guard let context = context?.assumingMemoryBound(to: Context.self) else { return }
      context.pointee.events.meetEnd()
      let builder = context.pointee.builder
      builder.pointee.offset = context.pointee.events.offset
      builder.pointee.endElement()
    }
    if isSplit {
      handler.characters = { context, text, length in
        guard let context = context?.assumingMemoryBound(to: Context.self), let text else { return }
        for index in 0..<Int(length) {
          if text[index] == MarkupEvents.placeholder {
            XMLPushParser.takeText(context)
          } else {
            context.pointee.isOutOfStep = true
          }
        }
      }
    } else {
      handler.characters = { context, text, length in
        guard let context = context?.assumingMemoryBound(to: Context.self), let text else { return }
        context.pointee.builder.pointee.characters(text, Int(length))
      }
    }
    // The same function, so that libxml2 does not look whether text is blank.
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { context, error in
      guard let context, let error = error?.pointee else { return }
      XMLPushParser.note(error, in: context.assumingMemoryBound(to: Context.self))
    }
    return handler
  }

  @inline(__always)
  private static func takeText(_ context: UnsafeMutablePointer<Context>) {
    guard let event = context.pointee.events.nextText() else {
      context.pointee.isOutOfStep = true
      return
    }
    context.pointee.builder.pointee.text(event)
  }

  private static func note(_ error: xmlError, in context: UnsafeMutablePointer<Context>) {
    let isFatal = error.level == XML_ERR_FATAL
    let isNamespace = (200...205).contains(error.code)
    guard isFatal || isNamespace else { return }
    if isFatal, context.pointee.outcome.fatal != nil { return }
    if !isFatal, context.pointee.outcome.namespaceProblems.count >= 20 { return }
    var message = error.message.map { String(cString: $0) } ?? "not well-formed"
    while let last = message.last, last.isNewline { message.removeLast() }
    // The tag it stands in is the next to be met.
    let finding = Finding(offset: context.pointee.events.nextOffset, message: message)
    if isFatal {
      context.pointee.outcome.fatal = finding
    } else {
      context.pointee.outcome.namespaceProblems.append(finding)
    }
  }
}

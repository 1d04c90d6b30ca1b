import CLibXML2

/// Pushes UTF-8 to libxml2's SAX2 parser and passes its events to a builder.
///
/// `MarkupTokenizer` and `XMLRepairer` remove DOCTYPEs, oversized start tags and ill-formed text before libxml2 reads
/// them. So libxml2 expands no entity, opens no file, and takes linear time.
struct XMLPushParser {
  /// Number of bytes per push; larger pieces are not faster.
  static let chunkSize = 16 * 1024

  private static let nameBytes = 60_000

  /// Errors that libxml2 reported.
  struct Outcome {
    /// The first error that makes the document ill-formed. Unless the parser was created with `recovers`, it stops
    /// there.
    var fatal: Finding?
    /// Violations of the namespace rules, after which parsing continues.
    var namespaceProblems: [Finding] = []
  }

  /// User data of the callbacks.
  private struct Context: ~Copyable {
    let builder: UnsafeMutablePointer<FeedBuilder>
    var events = MarkupEvents()
    var outcome = Outcome()
    /// True if libxml2 reported an event that differs from the announced one.
    var isOutOfStep = false

    init(_ builder: UnsafeMutablePointer<FeedBuilder>) {
      self.builder = builder
    }
  }

  private let parser: xmlParserCtxtPtr
  private let context: UnsafeMutablePointer<Context>
  private let builder: UnsafeMutablePointer<FeedBuilder>

  /// Creates a parser; nil if libxml2 cannot allocate memory. The caller must call `close`. With `isSplit`, the input
  /// contains placeholders for the texts that `expect` announces.
  init?(builder: UnsafeMutablePointer<FeedBuilder>, recovers: Bool, isSplit: Bool) {
    Self.initializeLibrary()
    self.builder = builder
    context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    context.initialize(to: Context(builder))
    var handler = Self.handler(isSplit: isSplit)
    guard let parser = newsd_xml_create_push_parser(&handler, context) else {
      context.deinitialize(count: 1)
      context.deallocate()
      return nil
    }
    self.parser = parser
    // libxml2 stops growing its table of names at a few thousand slots, so many names take quadratic time. The parser
    // fails when the names exceed this size; the repairer's limit is lower.
    if let names = parser.pointee.dict { newsd_xml_limit_names(names, Self.nameBytes) }
    var options = XML_PARSE_NONET.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    if recovers { options |= XML_PARSE_RECOVER.rawValue }
    newsd_xml_use_options(parser, Int32(options))
  }

  var outcome: Outcome {
    var outcome = context.pointee.outcome
    if outcome.fatal == nil, context.pointee.isOutOfStep {
      outcome.fatal = Finding(
        offset: context.pointee.events.offset,
        message: "the document is not well-formed"
      )
    }
    return outcome
  }

  /// Announces the next event of the input. Call it in the order of the events.
  @inline(__always)
  func expect(
    _ kind: MarkupEvents.Kind,
    at offset: Int,
    text: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
  ) {
    context.pointee.events.append(kind, at: offset, text: text)
  }

  /// Number of announced events that the parser has not reported yet.
  var pendingEvents: Int { context.pointee.events.count }

  var isStoppedByBuilder: Bool { builder.pointee.place.isStopped }

  /// Frees the memory pages of the mapped document that were read.
  @inline(__always)
  func releaseDocument() {
    if builder.pointee.settings.pages != nil { builder.pointee.settings.pages?.release() }
  }

  /// Pushes bytes to libxml2. Returns false if the builder needs no more input, or libxml2 has stopped after
  /// an error.
  @discardableResult
  func push(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var offset = 0
    while offset < bytes.count {
      let size = min(Self.chunkSize, bytes.count - offset)
      UnsafeRawPointer(base + offset).withMemoryRebound(to: CChar.self, capacity: size) {
        _ = newsd_xml_parse(parser, $0, Int32(size), 0)
      }
      if builder.pointee.place.isStopped || newsd_xml_is_stopped(parser) != 0 { return false }
      offset += size
      if offset & (LongText.pieceSize - 1) == 0 { releaseDocument() }
    }
    return true
  }

  func finish() {
    if !builder.pointee.place.isStopped, newsd_xml_is_stopped(parser) == 0 {
      newsd_xml_parse(parser, nil, 0, 1)
    }
  }

  func close() {
    newsd_xml_free_parser(parser)
    context.deinitialize(count: 1)
    context.deallocate()
  }

  // MARK: Callbacks

  private static let isLibraryReady: Bool = {
    newsd_xml_init()
    newsd_xml_silence_errors()
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
      builder.pointee.place.offset = context.pointee.events.offset
      if builder.pointee.place.depth == 0, namespaceCount > 0 {
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
      builder.pointee.place.offset = context.pointee.events.offset
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
    // Use the same function for both: then libxml2 does not test whether text is blank.
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.processingInstruction = { context, target, _ in
      guard let context = context?.assumingMemoryBound(to: Context.self), let target else { return }
      context.pointee.builder.pointee.instruction(target)
    }
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
    // libxml2 reports an error in a tag before it reports the tag, so the next offset applies.
    let finding = Finding(offset: context.pointee.events.nextOffset, message: message)
    if isFatal {
      context.pointee.outcome.fatal = finding
    } else {
      context.pointee.outcome.namespaceProblems.append(finding)
    }
  }
}

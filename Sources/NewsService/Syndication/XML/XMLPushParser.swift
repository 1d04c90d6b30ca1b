import CLibXML2
import NewsService

/// Feeds UTF-8 to libxml2's SAX2 push parser and hands its events to a builder.
///
/// libxml2 sees neither a DOCTYPE nor an oversized start tag nor ill-formed text that matters (`StartTagGuard` and
/// `XMLMender` stand before it), so that it expands no entity, opens no file, and takes linear time.
struct XMLPushParser {
  /// The size of the pieces pushed; larger ones gain nothing.
  static let chunkSize = 16 * 1024

  private static let nameBytes = 60_000

  /// What the parser had to say.
  struct Outcome {
    /// The first breach of well-formedness; with `recovers` false nothing was read beyond it.
    var fatal: SyntaxProblem?
    /// Breaches of the namespace rules, after which reading goes on.
    var namespaceProblems: [SyntaxProblem] = []
  }

  /// What the callbacks get.
  private struct Context {
    let builder: UnsafeMutablePointer<FeedBuilder>
    var outcome = Outcome()
  }

  private let parser: xmlParserCtxtPtr
  private let context: UnsafeMutablePointer<Context>
  private let builder: UnsafeMutablePointer<FeedBuilder>

  /// Nil when libxml2 has no memory. `close` must be called.
  init?(builder: UnsafeMutablePointer<FeedBuilder>, recovers: Bool) {
    Self.initializeLibrary()
    self.builder = builder
    context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    context.initialize(to: Context(builder: builder))
    var handler = Self.handler()
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

  /// Parses a whole document; stops early when the builder has had enough.
  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>,
    into builder: UnsafeMutablePointer<FeedBuilder>
  ) -> Outcome {
    guard let parser = XMLPushParser(builder: builder, recovers: false) else { return Outcome() }
    defer { parser.close() }
    parser.push(bytes)
    parser.finish()
    if parser.outcome.fatal == nil { builder.pointee.endOpenElements() }
    return parser.outcome
  }

  var outcome: Outcome { context.pointee.outcome }

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
      if builder.pointee.isStopped || parser.pointee.disableSAX != 0 { return false }
      offset += size
    }
    return true
  }

  func finish() {
    if !builder.pointee.isStopped, parser.pointee.disableSAX == 0 { xmlParseChunk(parser, nil, 0, 1) }
  }

  func close() {
    xmlFreeParserCtxt(parser)
    context.deinitialize(count: 1)
    context.deallocate()
  }

  // MARK: Callbacks

  private static let isLibraryReady: Bool = {
    xmlInitParser()
    return true
  }()

  static func initializeLibrary() { _ = isLibraryReady }

  private static func handler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, name, prefix, uri, namespaceCount, namespaces, count, _, attributes in
      guard let context, let name else { return }
      let builder = context.assumingMemoryBound(to: Context.self).pointee.builder
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
      guard let context else { return }
      context.assumingMemoryBound(to: Context.self).pointee.builder.pointee.endElement()
    }
    handler.characters = { context, text, length in
      guard let context, let text else { return }
      context.assumingMemoryBound(to: Context.self).pointee.builder.pointee.characters(text, Int(length))
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

  private static func note(_ error: xmlError, in context: UnsafeMutablePointer<Context>) {
    let isFatal = error.level == XML_ERR_FATAL
    let isNamespace = (200...205).contains(error.code)
    guard isFatal || isNamespace else { return }
    if isFatal, context.pointee.outcome.fatal != nil { return }
    if !isFatal, context.pointee.outcome.namespaceProblems.count >= 20 { return }
    var message = error.message.map { String(cString: $0) } ?? "not well-formed"
    while let last = message.last, last.isNewline { message.removeLast() }
    let problem = SyntaxProblem(line: Int(error.line), column: Int(error.int2), message: message)
    if isFatal {
      context.pointee.outcome.fatal = problem
    } else {
      context.pointee.outcome.namespaceProblems.append(problem)
    }
  }
}

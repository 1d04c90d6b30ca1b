import CLibXML2

/// libxml2's SAX2 push parser with empty handlers: the minimum cost of reading XML.
enum NullParser {
  static let chunkSize = 16 * 1024

  static func parse(_ bytes: [UInt8]) {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { _, _, _, _, _, _, _, _, _ in }
    handler.endElementNs = { _, _, _, _ in }
    handler.characters = { _, _, _ in }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { _, _ in }
    guard let parser = newsd_xml_create_push_parser(&handler, nil) else { return }
    defer { newsd_xml_free_parser(parser) }
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_RECOVER.rawValue
    newsd_xml_use_options(parser, Int32(options))
    bytes.withUnsafeBytes { raw in
      let text = raw.bindMemory(to: CChar.self)
      guard let base = text.baseAddress else { return }
      var offset = 0
      while offset < text.count {
        let size = min(chunkSize, text.count - offset)
        newsd_xml_parse(parser, base + offset, Int32(size), 0)
        offset += size
      }
    }
    newsd_xml_parse(parser, nil, 0, 1)
  }
}

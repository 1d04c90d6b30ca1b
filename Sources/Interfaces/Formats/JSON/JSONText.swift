import NewsCore
import NewsText
import NewsToolbox

extension ByteBuffer {
  /// Appends a JSON string (RFC 8259 section 7) with its quotes.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    text.withBytes { JSONEscaping.write($0, to: &self) }
    append(UInt8(ascii: "\""))
  }

  mutating func append(json value: FieldValue) {
    switch value {
    case .none: append(literal: "null")
    case .text(let text): append(json: text)
    case .number(let number): append(decimal: number)
    case .flag(let flag): append(literal: flag ? "true" : "false")
    case .time(let time):
      append(UInt8(ascii: "\""))
      append(time)
      append(UInt8(ascii: "\""))
    case .words(let words): appendArray(words) { $0.append(json: $1) }
    case .authors(let authors):
      appendArray(authors) { buffer, author in
        buffer.appendObject([
          ("name", FieldValue(author.name)), ("url", FieldValue(author.url)),
          ("email", FieldValue(author.email)),
        ])
      }
    case .enclosures(let enclosures):
      appendArray(enclosures) { buffer, enclosure in
        buffer.appendObject([
          ("url", .text(enclosure.url)), ("mime_type", FieldValue(enclosure.mimeType)),
          ("title", FieldValue(enclosure.title)), ("size", FieldValue(enclosure.size)),
          ("duration", FieldValue(enclosure.duration)),
        ])
      }
    }
  }

  mutating func appendArray<Element>(
    _ elements: [Element],
    _ each: (inout ByteBuffer, Element) -> Void
  ) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      each(&self, element)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends an object. Omits members without a value.
  mutating func appendObject(_ members: [(StaticString, FieldValue)]) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members where value != .none {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(UInt8(ascii: "\""))
      append(literal: name)
      append(literal: "\":")
      append(json: value)
    }
    append(UInt8(ascii: "}"))
  }
}

import NewsSearch
import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// Tests escapers with characters that have a meaning in some format. Each is surrounded by combining marks,
/// which merge with it into one Character.
///
/// Decoders written for this test read the output as bytes, like browsers, shells and spreadsheets.
@Suite struct `Escaping of syntax characters beside combining marks` {
  private static let signs = Array("\"'<>&\\`*_[]|~()#@/?:!$,;={}+-%^. \n\r\t").map(String.init)
  private static let marks = ["", "\u{301}", "\u{600}", "\u{200D}", "\u{FE0F}", "\u{20DD}"]
  private static let texts: [String] = signs.flatMap { sign in
    marks.flatMap { before in
      marks.flatMap { after in
        ["\(before)\(sign)\(after)", "a\(before)\(sign)\(after)\(sign)b", "\(sign)\(before)\(sign)"]
      }
    }
  }

  private func written(_ body: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 64)
    body(&buffer)
    return buffer.withBytes { Array($0) }
  }

  private func expectEqual(_ bytes: [UInt8]?, _ text: String, _ comment: String) {
    #expect(bytes.map { $0.elementsEqual(text.utf8) } == true, "\(comment): \(text.debugDescription)")
  }

  @Test func `Removing the backslashes from escaped Markdown gives the text`() {
    let active = Set("`*_[]<>&|~\\".utf8)
    for text in Self.texts {
      let line = DisplayText(line: text).string
      let escaped = Array(MarkdownText.escape(text).utf8)
      var plain: [UInt8] = []
      var index = 0
      while index < escaped.count {
        if escaped[index] == UInt8(ascii: "\\"), index + 1 < escaped.count {
          index += 1
        } else {
          #expect(!active.contains(escaped[index]), "\(text.debugDescription)")
        }
        plain.append(escaped[index])
        index += 1
      }
      #expect(plain.elementsEqual(line.utf8.drop { $0 == UInt8(ascii: " ") }), "\(text.debugDescription)")
    }
  }

  @Test func `A code span in Markdown ends only at a delimiter of the same length`() {
    for text in Self.texts.map({ "x\($0)`\($0)``\($0)y" }) {
      let span = RichText.Span(text: text, style: .code)
      let lines = MarkdownText.lines(of: RichText(blocks: [.preformatted(text, indent: 0)], links: []))
      let fence = lines.dropFirst().first ?? ""
      #expect(
        !lines.dropFirst(2).dropLast().contains { $0.contains(bytesOf: fence) },
        "\(text.debugDescription)"
      )
      let inline = MarkdownText.lines(of: RichText(blocks: [.paragraph([span], indent: 0)], links: []))
      let runs = inline.joined().utf8.split { $0 != UInt8(ascii: "`") }.map(\.count)
      // The fence occurs twice: at the start and at the end.
      #expect(runs.count { $0 == runs.first } == 2, "\(text.debugDescription)")
    }
  }

  @Test func `Character data of XML has no markup and decodes to the text`() {
    let references = [
      "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
      "quot": UInt8(ascii: "\""), "#39": UInt8(ascii: "'"), "#13": 13,
    ]
    for text in Self.texts {
      let bytes = written { $0.append(xml: text) }
      var plain: [UInt8] = []
      var index = 0
      while index < bytes.count {
        #expect(!"<>\"'".utf8.contains(bytes[index]), "\(text.debugDescription)")
        if bytes[index] == UInt8(ascii: "&"), let end = bytes[index...].firstIndex(of: UInt8(ascii: ";")) {
          plain.append(references[String(decoding: bytes[(index + 1)..<end], as: UTF8.self)] ?? 0)
          index = end
        } else {
          plain.append(bytes[index])
        }
        index += 1
      }
      expectEqual(plain, text, "XML")
    }
  }

  @Test func `A JSON string ends at its last byte and decodes to the text`() {
    for text in Self.texts + ["\u{85}\u{9B}\u{202E}\u{2028}\u{7F}\u{0}"] {
      let bytes = Array(JSONEscaping.quoted(text).utf8)
      var plain = String.UnicodeScalarView()
      var index = 1
      var rest: [UInt8] = []
      while index < bytes.count - 1 {
        #expect(
          bytes[index] != UInt8(ascii: "\"") && bytes[index] >= UInt8(ascii: " ") && bytes[index] != 0x7F
        )
        guard bytes[index] == UInt8(ascii: "\\") else {
          rest.append(bytes[index])
          index += 1
          continue
        }
        plain += String(decoding: rest, as: UTF8.self).unicodeScalars
        rest = []
        switch bytes[index + 1] {
        case UInt8(ascii: "n"): plain.append("\n")
        case UInt8(ascii: "r"): plain.append("\r")
        case UInt8(ascii: "t"): plain.append("\t")
        case UInt8(ascii: "u"):
          let digits = String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self)
          plain.append(Unicode.Scalar(UInt32(digits, radix: 16) ?? 0) ?? "?")
          index += 4
        default: plain.append(Unicode.Scalar(bytes[index + 1]))
        }
        index += 2
      }
      plain += String(decoding: rest, as: UTF8.self).unicodeScalars
      #expect(plain.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
    }
  }

  @Test func `A CSV cell is one field, a TSV cell one column of one line`() {
    for text in Self.texts {
      let cell = written { $0.append(csv: text) }
      if cell.first == UInt8(ascii: "\"") {
        let inner = Array(cell.dropFirst().dropLast())
        #expect(cell.last == UInt8(ascii: "\""))
        let doubled = String(decoding: inner, as: UTF8.self)
        let quotes = inner.split(omittingEmptySubsequences: true) { $0 != UInt8(ascii: "\"") }
        #expect(quotes.allSatisfy { $0.count.isMultiple(of: 2) }, "\(text.debugDescription)")
        #expect(doubled.utf8.count - quotes.reduce(0) { $0 + $1.count / 2 } == text.utf8.count)
      } else {
        #expect(!cell.contains { ",\"\n\r".utf8.contains($0) }, "\(text.debugDescription)")
        expectEqual(cell, text, "CSV")
      }
      let column = written { $0.append(tsv: text) }
      #expect(!column.contains { $0 == 9 || $0 == 10 || $0 == 13 }, "\(text.debugDescription)")
    }
  }

  @Test(arguments: [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\u{FF1D}1+1", "\u{FF20}A1", "\u{1}=1", "\u{FEFF}=1",
    "\u{200E}+1",
  ])
  func `--csv-safe puts an apostrophe before text that begins a formula, but not before a number`(
    _ text: String
  ) {
    let plain = String(decoding: written { $0.append(csv: text) }, as: UTF8.self)
    let safe = String(decoding: written { $0.append(csv: text, escapesFormulas: true) }, as: UTF8.self)
    #expect(safe.replacing(ascii: "\"", with: "") == "'" + plain.replacing(ascii: "\"", with: ""))
    #expect(written { $0.append(csv: .number(-1), escapesFormulas: true) } == Array("-1".utf8))
  }

  @Test func `A name in a mail header is one quoted string or encoded words`() {
    for text in Self.texts {
      let bytes = Array(MailText.phrase(text, indent: 6).utf8)
      guard bytes.first == UInt8(ascii: "\"") else {
        #expect(bytes.isEmpty || bytes.starts(with: "=?utf-8?B?".utf8), "\(text.debugDescription)")
        continue
      }
      var index = 1
      while index < bytes.count - 1 {
        if bytes[index] == UInt8(ascii: "\\") {
          index += 1
        } else {
          #expect(bytes[index] != UInt8(ascii: "\""), "\(text.debugDescription)")
        }
        index += 1
      }
      #expect(index == bytes.count - 1 && bytes.last == UInt8(ascii: "\""), "\(text.debugDescription)")
    }
  }

  @Test func `The template filter shell writes one word of a POSIX shell`() throws {
    let template = try NewsFormats.Template("{title|shell}", of: Tables.items)
    for text in Self.texts {
      var item = HostileItems.items[0]
      item.title = text
      var encoder = TemplateEncoder(template: template, terminal: Terminal(width: 80, now: .noon))
      let bytes = written { encoder.append(ItemMatch(item: item), to: &$0) }.dropLast()
      var plain: [UInt8] = []
      var isQuoted = false
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "'") {
          isQuoted.toggle()
        } else if isQuoted {
          plain.append(byte)
        } else {
          #expect(
            byte == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "'"),
            "\(text.debugDescription)"
          )
          plain.append(UInt8(ascii: "'"))
          index += 1
        }
        index += 1
      }
      #expect(!isQuoted)
      expectEqual(plain, DisplayText(line: text).string, "shell")
    }
  }

  @Test func `A sfeed line has as many categories as the item`() {
    for text in Self.texts {
      var item = HostileItems.items[1]
      item.tags = ["a", text, "b"].map { $0.replacing(ascii: "\t", with: " ") }
      var encoder = SfeedEncoder()
      let bytes = written { encoder.append(item, to: &$0) }
      let fields = bytes.dropLast().split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      #expect(fields.count == 9)
      #expect(
        fields.last?.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).count == 3,
        "\(text.debugDescription)"
      )
    }
  }

  @Test func `A value printed into a query is read back as that value`() throws {
    for text in Self.texts where !text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
      let queries: [Query] = [
        .and([.feed(text), .text(TextMatch(kind: .phrase, text: "x\(text)y")), .tag("t")]),
        .and([.folder(text), .not(.text(TextMatch(kind: .phrase, text: "p\(text)")))]),
      ]
      for query in queries {
        let printed = QueryPrinter.text(query)
        let parsed = try QueryParser.parse(printed, now: .noon).query
        guard case .and(let parts) = parsed, case .and(let wanted) = query else {
          Issue.record("\(printed.debugDescription) is no conjunction")
          continue
        }
        #expect(parts.first == wanted.first, "\(printed.debugDescription)")
        #expect(parts.count <= wanted.count, "\(printed.debugDescription)")
      }
    }
  }

  @Test func `The HTML of an item keeps its attributes except class, and gains none`() {
    for text in Self.texts where !text.contains(ascii: "\"") && !text.contains(ascii: "<") {
      let value = text.replacing(ascii: ">", with: "&gt;")
      let html =
        "<a title=\"\(value)\" class=\"\(value)\" id=\"n\" abbr=\"\(value) onmouseover=alert(1) \">text</a>"
      let bytes = written { PageContent.append(html, of: NewsItem.ID(rawValue: 7), to: &$0) }
      #expect(Self.attributes(bytes) == ["title", "id", "abbr"], "\(value.debugDescription)")
    }
  }

  @Test func `A document contains the pictures that newsd keeps, and no others`() {
    let url = "https://p.example/a.gif?a=1&b=\"2"
    let kept = KeptPicture(feed: Feed.ID(rawValue: 1), url: url, type: .gif, bytes: Array("GIF".utf8))
    let html =
      #"<img src="https://p.example/a.gif?a=1&amp;b=&quot;2" srcset="https://p.example/b.gif 2x" alt="A">"#
      + #"<img src="https://p.example/c.gif" alt="C">"#
    let bytes = written {
      PageContent.append(html, of: NewsItem.ID(rawValue: 7), on: .document(DocumentPictures([kept])), to: &$0)
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"<img src="data:image/gif;base64,R0lG" alt="A"><img src="https://p.example/c.gif" alt="C">"#
    )
    let others = written { PageContent.append(html, of: NewsItem.ID(rawValue: 7), to: &$0) }
    #expect(String(decoding: others, as: UTF8.self) == html)
  }

  /// The attribute names of the first tag, as a browser parses it.
  private static func attributes(_ html: [UInt8]) -> [String] {
    var names: [String] = []
    var index = (html.firstIndex(of: UInt8(ascii: " ")) ?? html.count)
    while index < html.count, html[index] != UInt8(ascii: ">") {
      while index < html.count, html[index] <= UInt8(ascii: " ") { index += 1 }
      let start = index
      while index < html.count, html[index] > UInt8(ascii: " "), !"=>".utf8.contains(html[index]) {
        index += 1
      }
      if index > start { names.append(String(decoding: html[start..<index], as: UTF8.self)) }
      guard index + 1 < html.count, html[index] == UInt8(ascii: "="), html[index + 1] == UInt8(ascii: "\"")
      else {
        continue
      }
      index = (html[(index + 2)...].firstIndex(of: UInt8(ascii: "\"")) ?? html.count - 1) + 1
    }
    return names
  }
}
